#include "native/rt/threads/watched_ends.h"

#include <algorithm>
#include <cstdint>

#include "native/rt/base/part.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/happened.h"

namespace tarry::native::rt {

struct WatchedEnds : Kept {
  char place = 0;  // its address is among the points if ends are, so that other workers and replays learn of it
};
template struct RoomOf<WatchedEnds>;

namespace {

std::uintptr_t place() { return reinterpret_cast<std::uintptr_t>(&part<WatchedEnds>().place); }

}  // namespace

void looks_at_ends() {
  if (ends_are_points()) return;
  const EngineScope engine;
  auto& found = found_racing();
  if (std::find(found.begin(), found.end(), place()) == found.end()) found.push_back(place());
}

bool ends_are_points() { return !g_watch.racing.empty() && g_watch.racing.contains(place()); }

}  // namespace tarry::native::rt
