// Work shared by the workers of a search: idle workers wait; busy workers give work away.
//
// It ends when all workers wait and nothing is left. `put_aside` holds work for later: it is handed out only when there is
// no other work.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "store/growth_gate.h"

namespace tarry {

template <class Item>
class WorkPool {
 public:
  WorkPool(std::uint32_t workers, Gate& gate) : workers_(workers), gate_(gate) {}

  void put(Item item) {
    const std::scoped_lock lock(mutex_);
    items_.push_back(std::move(item));
    hungry_.store(waiting_ > items_.size(), std::memory_order_relaxed);
    changed_.notify_one();
  }

  /// Takes all of `items`, for later.
  void put_aside(std::vector<Item>& items) {
    const std::scoped_lock lock(mutex_);
    for (Item& item : items) aside_.push_back(std::move(item));
    items.clear();
  }

  /// Returns whether a worker waits for work that is not there yet.
  bool hungry() const { return hungry_.load(std::memory_order_relaxed); }

  /// The next item; waits for one. Nothing: all is done, or `end` was called. Requires: the caller is inside the gate.
  std::optional<Item> get() {
    std::unique_lock lock(mutex_);
    while (items_.empty() && !ended_) wait(lock);
    if (ended_ || items_.empty()) return std::nullopt;
    Item item = std::move(items_.front());
    items_.pop_front();
    hungry_.store(waiting_ > items_.size(), std::memory_order_relaxed);
    return item;
  }

  /// Makes all workers stop, whatever work is left.
  void end() {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

  std::size_t aside() const {
    const std::scoped_lock lock(mutex_);
    return aside_.size();
  }

  /// Returns how many items wait, now or for later.
  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return items_.size() + aside_.size();
  }

  /// Calls f for all waiting items, now or for later. Requires: the caller is alone inside the gate.
  template <class F>
  void for_each(F&& f) {
    const std::scoped_lock lock(mutex_);
    for (const Item& item : items_) f(item);
    for (const Item& item : aside_) f(item);
  }

  /// Takes all waiting items. Requires: no worker is left.
  template <class F>
  void drain(F&& f) {
    const std::scoped_lock lock(mutex_);
    for (Item& item : items_) f(std::move(item));
    for (Item& item : aside_) f(std::move(item));
    items_.clear();
    aside_.clear();
  }

 private:
  void wait(std::unique_lock<std::mutex>& lock) {
    ++waiting_;
    if (waiting_ == workers_) {
      items_.swap(aside_);  // there is nothing in items_; to move them one by one would take twice the memory
      if (items_.empty()) ended_ = true;
      changed_.notify_all();
    }
    hungry_.store(waiting_ > items_.size(), std::memory_order_relaxed);
    if (items_.empty() && !ended_) {
      lock.unlock();
      gate_.leave();
      lock.lock();
      changed_.wait(lock, [&] { return ended_ || !items_.empty(); });
      lock.unlock();
      gate_.enter();  // never while holding the lock: the worker that has the tables alone may want it
      lock.lock();
    }
    --waiting_;
  }

  const std::uint32_t workers_;
  Gate& gate_;
  mutable std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::deque<Item> aside_;
  std::uint32_t waiting_ = 0;
  bool ended_ = false;
  alignas(64) std::atomic<bool> hungry_{false};  // read at every step: on a cache line of its own
};

}  // namespace tarry
