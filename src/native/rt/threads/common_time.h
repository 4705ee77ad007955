// Time is the threads' own, and yet one: a thread that sees what another thread did sees no earlier time than that thread had then. Each operation on an object
// carries time as it orders steps: from the last write to every later operation, and from the reads to the next write. So what a clock shows
// stays a function of what happened before, and steps that are independent commute.
//
// A thread takes over what it saw when it next looks at a clock (`TimeOfThread::seen` until then, time/clock.h).
#pragma once

#include <cstdint>
#include <unordered_map>

#include "native/rt/base/lasting.h"
#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

/// When an object was last written to, and read since, by the clocks of the threads that did.
struct TimesOfObject {
  std::uint64_t written = 0, read = 0;
};
struct CommonTime {
  bool passed = false;  // for some thread, in this execution. Before that there is nothing to carry
  Lasting<std::unordered_map<std::uintptr_t, TimesOfObject>> of_objects;
  std::uintptr_t carries_nothing = 0;  // an object that orders the threads that ask for it, and shows them nothing

  void reset() {
    if (!passed) return;
    passed = false;
    of_objects->clear();
  }
};
inline bool time_passed() { return part<CommonTime>().passed; }

/// The thread performs an operation on the object, which others may have done before.
void carry_time(std::uint32_t thread, std::uintptr_t object, bool writes);

}  // namespace tarry::native::rt
