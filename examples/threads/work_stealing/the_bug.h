// The work-stealing queue of Cilk: the THE protocol. WRONG, see the_bug_test.cpp; the.h is right and says how it works.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>

template <class T, std::size_t Capacity>
class TheQueue {
 public:
  /// Owner only. Requires: fewer than `Capacity` items were pushed since the queue was last empty.
  void push(T item) {
    const std::ptrdiff_t tail = tail_;
    items_[static_cast<std::size_t>(tail) % Capacity] = item;
    tail_ = tail + 1;
  }

  /// Owner only.
  std::optional<T> pop() {
    const std::ptrdiff_t tail = tail_ - 1;
    const std::ptrdiff_t head = head_;  // wrong: looks before it has said what it wants
    tail_ = tail;
    if (head <= tail) return items_[static_cast<std::size_t>(tail) % Capacity];
    tail_ = tail + 1;  // a thief may be after the same item: ask again, one at a time
    std::lock_guard hold(thieves_);
    if (head_ > tail) return std::nullopt;
    tail_ = tail;
    return items_[static_cast<std::size_t>(tail) % Capacity];
  }

  /// Any thread but the owner.
  std::optional<T> steal() {
    std::lock_guard hold(thieves_);
    const std::ptrdiff_t head = head_;
    head_ = head + 1;
    if (head + 1 > tail_) {
      head_ = head;
      return std::nullopt;
    }
    return items_[static_cast<std::size_t>(head) % Capacity];
  }

 private:
  std::atomic<std::ptrdiff_t> head_{0}, tail_{0};
  std::mutex thieves_;
  std::array<std::atomic<T>, Capacity> items_{};
};
