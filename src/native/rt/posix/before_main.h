// Before main: constructors of the program run, in one thread, and nothing is scheduled yet.
//
// What they do with locks, semaphores and the like is done by the same functions as later, which keep their state in the program's objects in a
// format of their own: an object that glibc's functions have used would mean something else to them. Scheduler::point lets no other thread run then. Signals
// and cancellation are left to the kernel and to glibc, and become those of main's thread when it starts.
#pragma once

#include "native/rt/base/side.h"
#include "native/rt/threads/asked_of_primitives.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// Whether a constructor of the program runs before main, in a process that the tool has started. False in a child that a constructor has forked.
inline bool before_main() { return g_side == Side::kFree && under_control() && !scheduler().has_control() && !is_child_of_constructor(); }

/// Ends the process with a word about it: the constructor does something that main would find, and does not under Tarry.
[[noreturn]] void is_not_carried_over(const char* problem);

}  // namespace tarry::native::rt
