// Accounts with a lock each, and transfers between them.
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
    std::scoped_lock both(from.lock_, to.lock_);  // takes them without deadlock, in whatever order they are named
    if (from.balance_ < amount) return false;
    from.balance_ -= amount;
    to.balance_ += amount;
    return true;
  }

 private:
  mutable std::mutex lock_;  // guards balance_
  int balance_;
};
