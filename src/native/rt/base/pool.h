// Borrowed threads: pthreads that glibc made and whose kernel threads sleep for ever. A thread of the program puts one on.
//
// Each has a stack of its own; its upper end holds the thread-local storage and glibc's own record. The image of that end as it was when the thread
// was parked is copied back whenever the thread is started anew; the rest of the stack is zero then (Pages).
//
// Threads are only made between executions: glibc's lists of threads are memory that is reset.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include "native/rt/base/context.h"
#include "native/rt/base/pages.h"

namespace tarry::native::rt {

// A stack has the usual size, and below it room that becomes memory for threads that asked for more. The rest is a guard: overflow is a fault.
constexpr std::size_t kUsualStack = std::size_t{8} << 20;
constexpr std::size_t kLargestStack = std::size_t{256} << 20;
constexpr std::size_t kGuardSize = kLargestStack - kUsualStack;

struct Borrowed {
  pthread_t handle = 0;
  Context parked{.mxcsr = 0, .x87 = 0};  // where its kernel thread left it
  char* stack = nullptr;   // its lowest byte
  std::size_t stack_size = 0;
  char* image = nullptr;   // of [parked.stack, end of the stack)
  std::size_t image_size = 0;
  int ready = 0;
};

/// What a borrowed thread does when it is switched to for the first time.
using Body = void (*)(void* argument);

class Pool {
 public:
  /// Makes one more. False if the system gives no more.
  bool borrow(Borrowed& to, Body body, void* argument);
  /// Takes the image of a parked thread as it is now.
  void take_image(Borrowed& borrowed);
  /// As it was when it was parked.
  static void rewind(const Borrowed& borrowed);
};

/// The end of glibc's record of a thread, counted from the thread pointer.
std::size_t thread_record_size();
/// Bytes of thread-local storage below the thread pointer that every thread has from its start.
std::size_t static_tls_size();

}  // namespace tarry::native::rt
