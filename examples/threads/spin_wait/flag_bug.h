// A flag that one thread raises and others wait for, spinning. WRONG, see flag_bug_test.cpp; flag.h is right.
#pragma once

#include <atomic>

class SpinFlag {
 public:
  void raise() { raised_ = true; }
  void wait() const {
    while (!raised_) {  // wrong: keeps the processor from the thread it waits for
    }
  }

 private:
  std::atomic<bool> raised_{false};
};
