// Signals that really come, from outside of the program.
#pragma once

#include <atomic>
#include <cstdint>

#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

/// Signals that really came, from outside, while the engine worked: one bit each. Their handlers run when the program goes on (effects/actions.cc).
struct OutsideSignals {
  std::atomic<std::uint64_t> came{0};

  void reset() { came.store(0, std::memory_order_relaxed); }
};
inline bool signals_came() { return part<OutsideSignals>().came.load(std::memory_order_relaxed) != 0; }

}  // namespace tarry::native::rt
