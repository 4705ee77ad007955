// Accounts with a lock each, and transfers between them, which take the locks in the order of their addresses. (std::scoped_lock
// does not deadlock either, but it tries and backs off, as the philosophers of the livelock example do.)
#pragma once

#include <functional>
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
    const bool forward = std::less<>()(&from, &to);
    std::lock_guard first(forward ? from.lock_ : to.lock_);
    std::lock_guard second(forward ? to.lock_ : from.lock_);
    if (from.balance_ < amount) return false;
    from.balance_ -= amount;
    to.balance_ += amount;
    return true;
  }

 private:
  mutable std::mutex lock_;  // guards balance_
  int balance_;
};
