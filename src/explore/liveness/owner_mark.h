// Decides which worker handles a state when several workers propagate values through one graph.
//
// A state has at most one owner at a time. The owner reads the value of the state and propagates it along all edges. Another worker that raises the value meanwhile
// leaves a mark (`tell`), and the owner handles the state again before it lets go. So no raised value stays unpropagated, and no two workers expand one state.
//
// Invariants: a worker raises the value before it calls `tell`. The owner calls `begin` before it reads the value. A told state has an owner, or a worker that has just
// found it and becomes its owner. tests/native/self/owner_mark.cpp: Tarry explores all schedules.
#pragma once

#include <atomic>
#include <cstdint>

namespace tarry {

class OwnerMark {
 public:
  using Bits = std::uint8_t;
  static constexpr Bits kFound = 1, kOwned = 2, kTold = 4, kAside = 8;

  explicit OwnerMark(Bits& bits) : bits_(bits) {}

  /// The caller has found the state, and owns it from now on.
  void found() { bits_.fetch_or(kFound | kOwned | kTold, std::memory_order_acq_rel); }

  /// The owner is about to read the value.
  void begin() { bits_.fetch_and(static_cast<Bits>(~kTold), std::memory_order_acq_rel); }

  /// The caller has raised the value. Returns true if the state had no owner: then the caller owns it and has to handle it.
  bool tell() {
    Bits seen = bits_.load(std::memory_order_relaxed);
    while (true) {
      const bool free = (seen & kFound) != 0 && (seen & kOwned) == 0;
      if (bits_.compare_exchange_weak(seen, static_cast<Bits>(seen | kTold | (free ? kOwned : 0)), std::memory_order_acq_rel)) return free;
    }
  }

  /// The owner has propagated the value along all edges. Returns true if the owner let go, false if the value was raised meanwhile: the owner has to handle the state again,
  /// and has begun to.
  bool leave() {
    Bits seen = bits_.load(std::memory_order_relaxed);
    while ((seen & kTold) == 0)
      if (bits_.compare_exchange_weak(seen, static_cast<Bits>(seen & ~kOwned), std::memory_order_acq_rel)) return true;
    begin();
    return false;
  }

  /// Returns true for the first of all calls since `bring_back`. Requires: the caller owns the state.
  bool put_aside() { return (bits_.fetch_or(kAside, std::memory_order_relaxed) & kAside) == 0; }
  void bring_back() { bits_.fetch_and(static_cast<Bits>(~kAside), std::memory_order_relaxed); }

 private:
  std::atomic_ref<Bits> bits_;
};

}  // namespace tarry
