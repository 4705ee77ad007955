// Accounts with a lock each, and transfers between them. WRONG, see bank_bug_test.cpp; bank.h is right.
#pragma once

#include <mutex>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  int balance() const {
    std::lock_guard hold(lock_);
    return balance_;
  }

  /// Moves `amount` if it is there. Requires: two different accounts.
  friend bool transfer(Account& from, Account& to, int amount) {
    std::lock_guard first(from.lock_);  // wrong: the other way round for a transfer back
    std::lock_guard second(to.lock_);
    if (from.balance_ < amount) return false;
    from.balance_ -= amount;
    to.balance_ += amount;
    return true;
  }

 private:
  mutable std::mutex lock_;  // guards balance_
  int balance_;
};
