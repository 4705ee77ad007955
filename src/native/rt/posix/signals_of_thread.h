// What is kept of the signals of each thread (signal.h).
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// Signals that other threads sent, as sets (bit n: signal n + 1), and handlers.
struct SignalsOfThread {
  std::uint64_t blocked = 0, pending = 0;
  // Of the first one that is pending: who sent it (plus 1; 0: none of the program's threads) and in which step of its own, and how many steps were taken ahead
  // of the handler.
  std::uint32_t sent_by = 0, sent_at = 0, passed = 0;
  bool in_kernel = false;               // the last of these steps was a call of the kernel: the handler runs before the next one
  bool interrupted = false;             // the last point ended by a handler
  const char* handler_stack = nullptr;  // where that of the outermost handler begins; nullptr: it is in none
  const void* handler_frame = nullptr;  // of a handler of a crash that it may be in (crash.cc)

  bool due() const { return (pending & ~blocked) != 0; }
};

}  // namespace tarry::native::rt
