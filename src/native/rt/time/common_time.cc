#include "native/rt/time/common_time.h"

#include <algorithm>
#include <unordered_map>

#include "native/rt/posix/process.h"
#include "native/rt/scheduler.h"
#include "native/rt/side.h"
#include "native/rt/time/clock.h"

namespace tarry::native::rt {
namespace {

/// When an object was last written to, and read since, by the clocks of those who did.
struct Times {
  std::uint64_t written = 0, read = 0;
};

std::unordered_map<std::uintptr_t, Times>& times_of_objects() {
  static std::unordered_map<std::uintptr_t, Times> all;
  return all;
}

/// How often a clock has jumped orders those who ask, and nothing that they could see.
bool carries(std::uintptr_t object) { return object != reinterpret_cast<std::uintptr_t>(&process_state().clock_jumps); }

}  // namespace

bool g_time_passed = false;

void carry_time(std::uint32_t thread, std::uintptr_t object, bool writes) {
  if (!carries(object)) return;
  const EngineScope engine;
  Thread& who = scheduler().thread(thread);
  Times& times_of = times_of_objects()[object];
  who.time_seen = std::max({who.time_seen, who.time, times_of.written, writes ? times_of.read : 0});
  (writes ? times_of.written : times_of.read) = std::max(writes ? 0 : times_of.read, who.time_seen);
}

std::uint64_t time_now() {
  Thread& self = scheduler().self();
  if (self.time_seen > self.time) {
    const std::uint64_t passed = self.time_seen - self.time;
    self.held_up += passed;
    pass_time(passed);
  }
  return self.time;
}

void forget_times() {
  if (!g_time_passed) return;
  g_time_passed = false;
  times_of_objects().clear();
}

}  // namespace tarry::native::rt
