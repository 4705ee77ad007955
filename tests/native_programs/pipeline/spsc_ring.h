// A ring for one producer and one consumer, without locks: each side owns an index, and keeps a copy of the other's. For those
// who have to wait there are two semaphores, so that nobody spins.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <semaphore>
#include <utility>

namespace pipeline {

template <class T, std::size_t Capacity>
class SpscRing {
  static_assert((Capacity & (Capacity - 1)) == 0, "a power of two");

 public:
  /// Producer only. False: it is full.
  bool try_push(T& item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - seen_head_ == Capacity) {
      seen_head_ = head_.load(std::memory_order_acquire);
      if (tail - seen_head_ == Capacity) return false;
    }
    slots_[tail % Capacity] = std::move(item);
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  /// Consumer only. Nothing: it is empty.
  std::optional<T> try_pop() {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == seen_tail_) {
      seen_tail_ = tail_.load(std::memory_order_acquire);
      if (head == seen_tail_) return std::nullopt;
    }
    std::optional<T> item(std::move(slots_[head % Capacity]));
    head_.store(head + 1, std::memory_order_release);
    return item;
  }

  /// Producer only. Waits while it is full. False: nobody will take it.
  bool push(T item) {
    while (!abandoned_.load()) {
      if (try_push(item)) {
        items_.release();
        return true;
      }
      room_.acquire();
    }
    return false;
  }

  /// Consumer only. Waits while it is empty. Nothing: it was closed, and all is taken.
  std::optional<T> pop() {
    for (;;) {
      items_.acquire();
      if (std::optional<T> item = try_pop()) {
        room_.release();
        return item;
      }
      if (closed_.load()) {
        items_.release();  // the next call comes here too
        return try_pop();
      }
    }
  }

  /// Producer only: no more will come.
  void close() {
    closed_.store(true);
    items_.release();
  }

  /// Consumer only: no more will be taken.
  void abandon() {
    abandoned_.store(true);
    room_.release();
  }

 private:
  std::array<T, Capacity> slots_{};
  alignas(64) std::atomic<std::size_t> head_{0};
  std::size_t seen_tail_ = 0;  // the consumer's
  alignas(64) std::atomic<std::size_t> tail_{0};
  std::size_t seen_head_ = 0;  // the producer's
  std::atomic<bool> closed_{false}, abandoned_{false};
  std::counting_semaphore<> items_{0};  // pushed and not yet waited for, and one for the end
  std::counting_semaphore<> room_{0};   // taken since; a producer that finds it full looks again for each
};

}  // namespace pipeline
