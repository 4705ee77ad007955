// Before main: constructors of the program run, in one thread, and nothing is scheduled yet.
//
// What they do with locks, semaphores and the like is done by the same functions as later, which keep their state in the program's objects in a
// format of their own: an object that glibc's functions have used would mean something else to them. Scheduler::point lets nobody else run then. Signals
// and cancellation are left to the kernel and to glibc, and become those of main's thread when it starts.
#pragma once

#include <cstdint>

#include "native/rt/operation.h"
#include "native/rt/scheduler.h"
#include "native/rt/side.h"

namespace tarry::native::rt {

/// Whether a constructor of the program runs before main, in a process that the tool has started. False in a child that a constructor has forked.
inline bool before_main() { return g_side == Side::kFree && under_control() && !scheduler().has_control() && !is_child_of_constructor(); }

/// Ends the process with a word about it: nobody can change what the constructor waits for.
[[noreturn]] void waits_for_ever_before_main(bool made_threads);

/// The kernel's mask of the calling thread.
std::uint64_t blocked_in_kernel();

/// When main starts: its thread has the mask, the pending signals, the cancellation state and the name that the constructors left. From then on the
/// kernel thread blocks nothing and has nothing pending.
void take_over_state(Thread& main);

}  // namespace tarry::native::rt
