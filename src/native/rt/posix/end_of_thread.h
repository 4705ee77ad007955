// What is kept of how a thread ends (exit.h).
#pragma once

#include <csetjmp>

namespace tarry::native::rt {

/// Ending in the middle (pthread_exit, cancellation).
struct EndOfThread {
  std::jmp_buf jump;          // its first frame
  void* frame = nullptr;      // where that is
  void* cleanup = nullptr;    // the C cleanup handlers: __pthread_unwind_buf_t*
  void* result = nullptr;
  bool exiting = false;
};

}  // namespace tarry::native::rt
