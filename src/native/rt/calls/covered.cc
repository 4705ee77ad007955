#include "native/rt/calls/covered.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "native/rt/base/part.h"
#include "native/rt/base/side.h"

namespace tarry::native::rt {

/// By all executions.
struct Covered : Kept {
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  Lasting<std::unordered_set<std::string, Hash, std::equal_to<>>> texts;
};
template struct RoomOf<Covered>;

namespace {

auto& texts() { return *part<Covered>().texts; }

}  // namespace

void cover(const char* text) {
  const EngineScope engine;
  if (!texts().contains(std::string_view(text))) texts().emplace(text);
}

std::vector<std::string> covered() {
  std::vector<std::string> all(texts().begin(), texts().end());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace tarry::native::rt
