// Time is the threads' own, and yet one: who sees what another thread did sees no earlier time than that thread had then. Each operation on an object
// carries time as it orders steps: from the last write to whoever comes after it, and from those who read to the next who writes. So what a clock shows
// stays a function of what happened before, and steps that are independent commute.
//
// A thread takes over what it saw when it next looks at a clock (`TimeOfThread::seen` until then).
#pragma once

#include <cstdint>
#include <unordered_map>

#include "native/rt/lasting.h"
#include "native/rt/runtime.h"

namespace tarry::native::rt {

struct TimeOfThread {
  std::uint64_t passed = 0;           // nanoseconds that have passed for it (clock.h)
  std::uint64_t seen = 0;             // by what others did, or its own
  std::uint64_t clock_reads = 0;
  std::uint64_t latest_deadline = 0;  // that it has seen, as a time of its own
  std::uint64_t held_up = 0;          // of its time: it did not run, and its processor time did not pass
  std::uint64_t wakes_at = 0;         // its time when it ends to sleep, if it uses timers (timers.h)
};

/// When an object was last written to, and read since, by the clocks of those who did.
struct TimesOfObject {
  std::uint64_t written = 0, read = 0;
};
struct CommonTime {
  bool passed = false;  // for some thread, in this execution. Before that there is nothing to carry
  Lasting<std::unordered_map<std::uintptr_t, TimesOfObject>> of_objects;

  void reset() {
    if (!passed) return;
    passed = false;
    of_objects->clear();
  }
};
inline bool time_passed() { return part<CommonTime>().passed; }

/// The thread performs an operation on the object, which others may have done before.
void carry_time(std::uint32_t thread, std::uintptr_t object, bool writes);
/// The running thread's time, which is that which it has seen, at least: it catches up. What it waited for it did not compute.
std::uint64_t time_now();

}  // namespace tarry::native::rt
