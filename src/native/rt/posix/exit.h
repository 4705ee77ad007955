// How threads and the program come to their end: destructors of threads, handlers of exit, and what ends an execution with a bug.
#pragma once

#include <cstdint>

#include "native/rt/threads/asked_of_primitives.h"

namespace tarry::native::rt {

/// State of the runtime's that belongs to the program and is reset with it: it lies in the program's heap. Made before the baseline.
void make_exit_state();

/// The unwinder that libc loads when it unwinds through functions of its own, as through `fgets` of a thread that is cancelled. Once, before `find_modules`: what is
/// loaded later needs a process for each execution.
void load_unwinder();

/// pthread_exit by the running thread: unwinds its stack.
[[noreturn]] void exit_thread(void* result);

/// Sets the loader's function to call at the end: it runs destructors of the program and its libraries, those of a library after those of its users.
void end_libraries_with(void (*loader)());

}  // namespace tarry::native::rt
