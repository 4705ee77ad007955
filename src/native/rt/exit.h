// How threads and the program come to their end: destructors of threads, handlers of exit, and what ends an execution with a bug.
#pragma once

#include <csetjmp>
#include <cstdint>

namespace tarry::native::rt {

/// Ending in the middle (pthread_exit, cancellation).
struct EndOfThread {
  std::jmp_buf jump;          // its first frame
  void* frame = nullptr;      // where that is
  void* cleanup = nullptr;    // the C cleanup handlers: __pthread_unwind_buf_t*
  void* result = nullptr;
  bool exiting = false;
};

/// Destructors of main's thread_local objects that there are at the baseline are there at the start of every execution.
void remember_thread_destructors();

/// State of the runtime's that belongs to the program and is reset with it: it lies in the program's heap. Made before the baseline.
void make_exit_state();

/// thread_local objects and the values of keys, of the running thread.
void run_thread_destructors();

/// pthread_exit by the running thread: unwinds its stack.
[[noreturn]] void exit_thread(void* result);

/// What the loader wants to be called at the end: destructors of the program and its libraries, those of a library after those of whoever uses it.
void end_libraries_with(void (*loader)());

/// exit(code) by the running thread: its destructors, the handlers, the libraries', open streams; ends the execution.
[[noreturn]] void end_program(int code);

}  // namespace tarry::native::rt
