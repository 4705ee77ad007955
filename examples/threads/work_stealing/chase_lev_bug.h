// The lock-free work-stealing queue of Chase and Lev. WRONG, see chase_lev_bug_test.cpp; chase_lev.h is right and says how it
// works.
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
    const std::ptrdiff_t top = top_;
    if (top > bottom) {  // was empty
      bottom_ = bottom + 1;
      return std::nullopt;
    }
    const T item = items_[static_cast<std::size_t>(bottom) % Capacity];
    if (top < bottom) return item;
    top_ = top + 1;  // wrong: a thief may have taken the last item meanwhile
    bottom_ = bottom + 1;
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
