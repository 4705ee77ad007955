// What a thread waits for until it is woken. Kept in the thread, because the object may be gone when the last waiting thread goes on (primitive.h).
#pragma once

#include <cstdint>

namespace tarry::native::rt {

struct WaitOfThread {
  const void* on = nullptr;         // a condition variable or a futex word
  bool woken = false;
  bool passed_over = false;         // another thread was woken by a signal that could have been for this one (condition.cc)
  bool for_several = false;         // futex words: `on` says which
  std::uint32_t futex_bits = 0;     // that it waits for (futex.cc)
  const void* listens_to = nullptr; // an atomic object that it is about to wait for, and whether it was notified since (atomic_wait.cc)
  bool heard = false;
};

}  // namespace tarry::native::rt
