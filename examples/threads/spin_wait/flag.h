// A flag that one thread raises and others wait for, spinning. For waits that are short: after a look that fails, a waiting
// thread gives the processor away.
#pragma once

#include <atomic>
#include <thread>

class SpinFlag {
 public:
  void raise() { raised_ = true; }
  void wait() const {
    while (!raised_) std::this_thread::yield();
  }

 private:
  std::atomic<bool> raised_{false};
};
