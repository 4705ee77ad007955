// Time is the threads' own, and yet one: who sees what another thread did sees no earlier time than that thread had then. Each operation on an object
// carries time as it orders steps: from the last write to whoever comes after it, and from those who read to the next who writes. So what a clock shows
// stays a function of what happened before, and steps that are independent commute.
//
// A thread takes over what it saw when it next looks at a clock (`Thread::time_seen` until then).
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// For some thread time has passed, in this execution. Before that there is nothing to carry.
extern bool g_time_passed;

/// The thread performs an operation on the object, which others may have done before.
void carry_time(std::uint32_t thread, std::uintptr_t object, bool writes);
/// The running thread's time, which is that which it has seen, at least: it catches up. What it waited for it did not compute.
std::uint64_t time_now();
/// Before each execution.
void forget_times();

}  // namespace tarry::native::rt
