#include "native/rt/base/admitted.h"

#include <algorithm>

#include "native/rt/base/part.h"
#include "native/rt/base/side.h"

namespace tarry::native::rt {

/// Of all executions.
struct Admitted : Kept {
  Lasting<std::vector<const char*>> texts;
  Lasting<std::vector<std::string>> instructions;
};
template struct RoomOf<Admitted>;

namespace {

std::vector<const char*>& all() { return *part<Admitted>().texts; }

}  // namespace

bool admit(const char* text) {
  const EngineScope engine;
  if (std::find(all().begin(), all().end(), text) != all().end()) return false;
  all().push_back(text);
  return true;
}

void admit_instruction(const char* name_and_line) {
  const EngineScope engine;
  auto& known = *part<Admitted>().instructions;
  if (std::find(known.begin(), known.end(), name_and_line) == known.end()) known.emplace_back(name_and_line);
}

void withdraw(const char* text) {
  const EngineScope engine;
  std::erase(all(), text);
}

std::vector<std::string> admitted() {
  std::vector<std::string> texts(all().begin(), all().end());
  const auto& instructions = *part<Admitted>().instructions;
  if (!instructions.empty()) {
    constexpr std::size_t kNamed = 5;
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, instructions.size()); ++i) names += (i == 0 ? "" : ", ") + instructions[i];
    if (instructions.size() > kNamed) names += ", ...";
    texts.push_back("the program executed instructions that Tarry neither sees nor controls: " + names);
  }
  return texts;
}

}  // namespace tarry::native::rt
