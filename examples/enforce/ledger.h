// A ledger that several clerks book in. Nobody may take more out of an account than there is in it.
#pragma once

#include <mutex>

class Ledger {
 public:
  explicit Ledger(int balance) : balance_(balance) {}

#ifndef FIXED
  /// Since the last update: first a quick look, so that hopeless orders do not keep the lock from others.
  bool withdraw(int amount) {
    if (balance() < amount) return false;
    const std::lock_guard lock(mutex_);
    balance_ -= amount;
    return true;
  }
#else
  bool withdraw(int amount) {
    if (balance() < amount) return false;
    const std::lock_guard lock(mutex_);
    if (balance_ < amount) return false;
    balance_ -= amount;
    return true;
  }
#endif

  int balance() {
    const std::lock_guard lock(mutex_);
    return balance_;
  }

 private:
  std::mutex mutex_;
  int balance_;
};
