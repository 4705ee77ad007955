#include "lru_cache.h"

namespace kv {

std::optional<std::string> LruCache::get(const std::string& key) {
  std::lock_guard hold(lock_);
  const auto found = index_.find(key);
  if (found == index_.end()) {
    ++misses_;
    return std::nullopt;
  }
  ++hits_;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->second;
}

void LruCache::put(const std::string& key, const std::string& value) {
  std::lock_guard hold(lock_);
  if (capacity_ == 0) return;
  if (const auto found = index_.find(key); found != index_.end()) {
    found->second->second = value;
    entries_.splice(entries_.begin(), entries_, found->second);
    return;
  }
  if (entries_.size() == capacity_) {
    index_.erase(entries_.back().first);
    entries_.pop_back();
  }
  entries_.emplace_front(key, value);
  index_.emplace(key, entries_.begin());
}

void LruCache::erase(const std::string& key) {
  std::lock_guard hold(lock_);
  const auto found = index_.find(key);
  if (found == index_.end()) return;
  entries_.erase(found->second);
  index_.erase(found);
}

std::size_t LruCache::size() const {
  std::lock_guard hold(lock_);
  return entries_.size();
}

std::uint64_t LruCache::hits() const {
  std::lock_guard hold(lock_);
  return hits_;
}

std::uint64_t LruCache::misses() const {
  std::lock_guard hold(lock_);
  return misses_;
}

}  // namespace kv
