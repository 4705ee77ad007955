// A gate that is opened once. Passing an open one costs one read.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

class Gate {
 public:
  void open() { state_ = kOpen; }

  void pass() const {
    int state = state_;
    if (state == kOpen) return;
    while (state != kOpen) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      state = state_;
    }
  }

 private:
  static constexpr int kClosed = 0, kOpen = 1;
  std::atomic<int> state_{kClosed};
};
