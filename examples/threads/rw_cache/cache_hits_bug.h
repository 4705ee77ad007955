// A cache that many threads read and few fill, and that counts its hits. WRONG, see cache_hits_bug_test.cpp.
#pragma once

#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

template <class Key, class Value>
class Cache {
 public:
  /// The value of `key`; `compute(key)` makes it if there is none. Ensures: it is computed once.
  template <class Compute>
  Value get(const Key& key, Compute compute) {
    {
      std::shared_lock hold(lock_);
      if (auto found = values_.find(key); found != values_.end()) {
        ++hits_;  // wrong: other threads have the lock too
        return found->second;
      }
    }
    std::unique_lock hold(lock_);
    if (auto found = values_.find(key); found != values_.end()) return found->second;
    return values_.emplace(key, compute(key)).first->second;
  }

  int hits() const {
    std::unique_lock hold(lock_);
    return hits_;
  }

 private:
  mutable std::shared_mutex lock_;  // guards all that follows
  std::map<Key, Value> values_;
  int hits_ = 0;
};
