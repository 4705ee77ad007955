// A gate that all workers of a search pass regularly, so that one worker can use the tables exclusively for a moment.
//
// Passing costs one relaxed load. A worker that waits for anything but the gate must leave the gate first.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace tarry {

class Gate {
 public:
  void enter() {
    std::unique_lock lock(mutex_);
    open_again_.wait(lock, [&] { return !closed_.load(std::memory_order_relaxed); });
    ++inside_;
  }
  void leave() {
    const std::scoped_lock lock(mutex_);
    --inside_;
    all_out_.notify_all();
  }
  void pass() {
    if (closed_.load(std::memory_order_relaxed)) [[unlikely]] {
      leave();
      enter();
    }
  }

  /// Runs f while no other worker is inside. Requires: the caller is inside. Another worker may have run before, so f must check
  /// again.
  template <class F>
  void alone(F&& f) {
    std::unique_lock lock(mutex_);
    --inside_;
    all_out_.notify_all();
    open_again_.wait(lock, [&] { return !closed_.load(std::memory_order_relaxed); });
    closed_.store(true, std::memory_order_relaxed);
    all_out_.wait(lock, [&] { return inside_ == 0; });
    f();
    ++inside_;
    closed_.store(false, std::memory_order_relaxed);
    open_again_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable open_again_, all_out_;
  std::atomic<bool> closed_{false};
  std::uint32_t inside_ = 0;
};

/// Stays inside the gate for a scope.
class Inside {
 public:
  explicit Inside(Gate& gate) : gate_(gate) { gate_.enter(); }
  ~Inside() { gate_.leave(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Gate& gate_;
};

}  // namespace tarry
