// Files, names and descriptors are shared by all threads. A system call that concerns them is an operation like any other: a point, since another
// thread may come first, and a step in the happens-before order, or executions would be taken for equal that differ in what a file holds.
//
// All of it is one object: names, links and descriptors lead to the same file in many ways. Pipes and sockets have their own points (channels.h);
// what goes to the standard outputs is held back (output.h) and is ordered, but is no point.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// All files and descriptors, as one object.
inline const void* const kFiles = reinterpret_cast<const void*>(std::uintptr_t{2});

/// Ahead of a system call, by the running thread. May let others run.
void touch_files(long number, const long (&arguments)[6], std::uintptr_t pc);

}  // namespace tarry::native::rt
