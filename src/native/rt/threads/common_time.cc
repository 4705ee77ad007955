#include "native/rt/threads/common_time.h"

#include <algorithm>

#include "native/rt/base/part.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

template struct RoomOf<CommonTime>;

void carry_time(std::uint32_t thread, std::uintptr_t object, bool writes) {
  if (object == part<CommonTime>().carries_nothing) return;
  const EngineScope engine;
  Thread& who = scheduler().thread(thread);
  TimesOfObject& times_of = (*part<CommonTime>().of_objects)[object];
  who.time.seen = std::max({who.time.seen, who.time.passed, times_of.written, writes ? times_of.read : 0});
  (writes ? times_of.written : times_of.read) = std::max(writes ? 0 : times_of.read, who.time.seen);
}

}  // namespace tarry::native::rt
