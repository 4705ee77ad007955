#include "native/rt/base/admitted.h"

#include <algorithm>

#include "native/rt/base/part.h"
#include "native/rt/base/side.h"

namespace tarry::native::rt {

/// Of all executions.
struct Admitted : Kept {
  Lasting<std::vector<const char*>> texts;
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

void withdraw(const char* text) {
  const EngineScope engine;
  std::erase(all(), text);
}

std::vector<std::string> admitted() { return {all().begin(), all().end()}; }

}  // namespace tarry::native::rt
