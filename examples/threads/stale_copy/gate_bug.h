// A gate that is opened once. Passing an open one costs one read. WRONG, see gate_bug_test.cpp; gate.h is right.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

class Gate {
 public:
  void open() { state_ = kOpen; }

  void pass() const {
    const int state = state_;
    if (state == kOpen) return;
    while (state != kOpen) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // wrong: should read state_ once again
    }
  }

 private:
  static constexpr int kClosed = 0, kOpen = 1;
  std::atomic<int> state_{kClosed};
};
