// Lets many walkers share few cores fairly and by count, not by time: all of them go up to a quota of states, then it doubles.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace tarry {

class Turns {
 public:
  Turns(std::uint32_t walkers, std::uint32_t at_once) : left_(walkers), free_(at_once) {}

  /// Waits for a place to run in. Walkers begin in the order of their numbers, which count from 0. Requires: each one begins.
  void begin(std::uint32_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_ == number && free_ > 0; });
    ++begun_;
    --free_;
    changed_.notify_all();
  }

  /// This one is done for good.
  void end() {
    const std::scoped_lock lock(mutex_);
    ++free_;
    --left_;
    next_round_if_due();
    changed_.notify_all();
  }

  /// Has seen `states` states; waits while that is the quota and others have not got there. False once `stop` was called.
  bool go_on(std::uint64_t states) {
    std::unique_lock lock(mutex_);
    if (stopped_) return false;
    if (states < quota_) return true;
    ++free_;
    ++arrived_;
    next_round_if_due();
    changed_.notify_all();
    changed_.wait(lock, [&] { return stopped_ || states < quota_; });
    take_place(lock);
    return !stopped_;
  }

  void stop() {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  void take_place(std::unique_lock<std::mutex>& lock) {
    changed_.wait(lock, [&] { return free_ > 0; });
    --free_;
  }
  void next_round_if_due() {
    if (left_ == 0 || arrived_ < left_) return;
    arrived_ = 0;
    quota_ *= 2;
  }

  std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  std::uint32_t left_;
  std::uint32_t free_;
  std::uint32_t begun_ = 0;
  std::uint32_t arrived_ = 0;
  std::uint64_t quota_ = 1024;
  bool stopped_ = false;
};

}  // namespace tarry
