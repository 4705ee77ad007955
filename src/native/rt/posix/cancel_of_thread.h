// Requests to cancel a thread.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

struct CancelOfThread {
  bool disabled = false, asynchronous = false, requested = false;
  std::uint32_t steps = 0;  // of the thread, when it was requested: that at which it stood then is the next one
  bool in_call = false;     // a system call is under way that glibc lets be cancelled (cancelled_calls.h)
};

}  // namespace tarry::native::rt
