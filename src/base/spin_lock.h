// A lock for critical sections of a few instructions. It takes one byte, so tables can have many.
#pragma once

#include <atomic>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tarry {

inline void cpu_pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

class SpinLock {
 public:
  void lock() {
    while (held_.exchange(true, std::memory_order_acquire))
      while (held_.load(std::memory_order_relaxed)) cpu_pause();
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

}  // namespace tarry
