// What the kernel keeps for the program is shared by all threads: files, names and descriptors, channels, and what belongs to the process: whom it is for, what
// it may do and use, which of its memory is there. A system call that concerns it is an operation like any other: a point, since another thread may come first,
// and a step in the happens-before order, or executions would be taken for equal that differ in what a file holds.
//
// All of it is one object. Its parts depend on each other in more ways than a list can hold: a mask on the permissions of the next file, a limit on the number of
// the next descriptor, a descriptor that is closed on every call that names it. So a call that is not known to only look changes it. Pipes and sockets have their
// own points (channels.h), with the same object; what goes to the standard outputs is held back (output.h) and is ordered, but is no point.
#pragma once

#include <cstdint>

#include "native/rt/base/shared_things.h"

namespace tarry::native::rt {

/// Ahead of a system call, by the running thread. May let others run.
void touch_shared(long number, const long (&arguments)[6], std::uintptr_t pc);

}  // namespace tarry::native::rt
