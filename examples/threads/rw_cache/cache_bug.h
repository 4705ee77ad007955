// A cache that many threads read and few fill. WRONG, see cache_bug_test.cpp; cache.h is right.
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
      if (auto found = values_.find(key); found != values_.end()) return found->second;
    }
    std::unique_lock hold(lock_);  // wrong: what was not there before may be there now
    return values_.emplace(key, compute(key)).first->second;
  }

 private:
  std::shared_mutex lock_;  // guards values_
  std::map<Key, Value> values_;
};
