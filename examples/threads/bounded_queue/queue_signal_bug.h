// A queue of at most `Capacity` items, for any number of producers and consumers. put() waits while it is full, take() while it
// is empty. WRONG, see queue_signal_bug_test.cpp; queue.h is right.
#pragma once

#include <array>
#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>

template <class T, std::size_t Capacity>
class BoundedQueue {
 public:
  void put(T item) {
    std::unique_lock hold(lock_);
    while (size_ == Capacity) changed_.wait(hold);
    items_[(head_ + size_++) % Capacity] = std::move(item);
    changed_.notify_one();
  }

  T take() {
    std::unique_lock hold(lock_);
    while (size_ == 0) changed_.wait(hold);
    assert(size_ > 0);
    T item = std::move(items_[head_]);
    head_ = (head_ + 1) % Capacity;
    --size_;
    changed_.notify_one();
    return item;
  }

  std::size_t size() const {
    std::lock_guard hold(lock_);
    return size_;
  }

 private:
  mutable std::mutex lock_;          // guards all that follows
  std::condition_variable changed_;  // wrong: two kinds of waiters, and notify_one
  std::array<T, Capacity> items_{};
  std::size_t head_ = 0, size_ = 0;
};
