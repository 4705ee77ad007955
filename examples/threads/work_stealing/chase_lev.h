// The lock-free work-stealing queue of Chase and Lev, with an array of fixed size. The owner pushes and pops at the bottom,
// thieves steal at the top; who takes the last item is settled by a compare-and-swap of the top.
//
// Paper: Chase, Lev. Dynamic circular work-stealing deque. SPAA 2005. All atomics are sequentially consistent; which of them may
// be weaker is in Lê, Pop, Cohen, Zappa Nardelli, PPoPP 2013.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>

template <class T, std::size_t Capacity>
class ChaseLevQueue {
 public:
  /// Owner only. False: the queue is full.
  bool push(T item) {
    const std::ptrdiff_t bottom = bottom_;
    if (bottom - top_ >= static_cast<std::ptrdiff_t>(Capacity)) return false;
    items_[static_cast<std::size_t>(bottom) % Capacity] = item;
    bottom_ = bottom + 1;
    return true;
  }

  /// Owner only.
  std::optional<T> pop() {
    const std::ptrdiff_t bottom = bottom_ - 1;
    bottom_ = bottom;
    std::ptrdiff_t top = top_;
    if (top > bottom) {  // was empty
      bottom_ = bottom + 1;
      return std::nullopt;
    }
    const T item = items_[static_cast<std::size_t>(bottom) % Capacity];
    if (top < bottom) return item;
    const bool won = top_.compare_exchange_strong(top, top + 1);  // the last one: thieves may want it
    bottom_ = bottom + 1;
    if (!won) return std::nullopt;
    return item;
  }

  /// Any thread. Nothing: the queue was empty, or another thread was faster.
  std::optional<T> steal() {
    std::ptrdiff_t top = top_;
    if (top >= bottom_) return std::nullopt;
    const T item = items_[static_cast<std::size_t>(top) % Capacity];
    if (!top_.compare_exchange_strong(top, top + 1)) return std::nullopt;
    return item;
  }

 private:
  std::atomic<std::ptrdiff_t> top_{0}, bottom_{0};
  std::array<std::atomic<T>, Capacity> items_{};
};
