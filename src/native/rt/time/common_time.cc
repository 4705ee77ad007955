#include "native/rt/time/common_time.h"

#include <algorithm>

#include "native/rt/part.h"
#include "native/rt/posix/process.h"
#include "native/rt/scheduler.h"
#include "native/rt/side.h"
#include "native/rt/time/clock.h"

namespace tarry::native::rt {

template struct RoomOf<CommonTime>;

namespace {

/// How often a clock has jumped orders those who ask, and nothing that they could see.
bool carries(std::uintptr_t object) { return object != reinterpret_cast<std::uintptr_t>(&process_state().clock_jumps); }

}  // namespace

void carry_time(std::uint32_t thread, std::uintptr_t object, bool writes) {
  if (!carries(object)) return;
  const EngineScope engine;
  Thread& who = scheduler().thread(thread);
  TimesOfObject& times_of = (*part<CommonTime>().of_objects)[object];
  who.time.seen = std::max({who.time.seen, who.time.passed, times_of.written, writes ? times_of.read : 0});
  (writes ? times_of.written : times_of.read) = std::max(writes ? 0 : times_of.read, who.time.seen);
}

std::uint64_t time_now() {
  Thread& self = scheduler().self();
  if (self.time.seen > self.time.passed) {
    const std::uint64_t passed = self.time.seen - self.time.passed;
    self.time.held_up += passed;
    pass_time(passed);
  }
  return self.time.passed;
}

}  // namespace tarry::native::rt
