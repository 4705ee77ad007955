// A queue of at most `Capacity` items, for any number of producers and consumers. put() waits while it is full, take() while it
// is empty. WRONG, see queue_if_bug_test.cpp; queue.h is right.
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
    while (size_ == Capacity) not_full_.wait(hold);
    items_[(head_ + size_++) % Capacity] = std::move(item);
    not_empty_.notify_one();
  }

  T take() {
    std::unique_lock hold(lock_);
    if (size_ == 0) not_empty_.wait(hold);  // wrong: look again after a wait
    assert(size_ > 0);
    T item = std::move(items_[head_]);
    head_ = (head_ + 1) % Capacity;
    --size_;
    not_full_.notify_one();
    return item;
  }

  std::size_t size() const {
    std::lock_guard hold(lock_);
    return size_;
  }

 private:
  mutable std::mutex lock_;  // guards all that follows
  std::condition_variable not_full_, not_empty_;
  std::array<T, Capacity> items_{};
  std::size_t head_ = 0, size_ = 0;
};
