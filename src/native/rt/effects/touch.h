// Files, names and descriptors are shared by all threads, and so is what belongs to the process: whom it is for, what it may do and use, which of its
// memory is there. A system call that concerns them is an operation like any other: a point, since another
// thread may come first, and a step in the happens-before order, or executions would be taken for equal that differ in what a file holds.
//
// Files are one object, and so is the process. Pipes and sockets have their own points (channels.h);
// what goes to the standard outputs is held back (output.h) and is ordered, but is no point.
#pragma once

#include <cstdint>

#include "native/rt/shared_things.h"

namespace tarry::native::rt {

/// All files and descriptors, as one object.
inline const void* const kFiles = object_of(Thing::kFiles);

/// Ahead of a system call, by the running thread. May let others run.
void touch_shared(long number, const long (&arguments)[6], std::uintptr_t pc);

}  // namespace tarry::native::rt
