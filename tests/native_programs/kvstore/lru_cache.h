// The values that were used last. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace kv {

class LruCache {
 public:
  explicit LruCache(std::size_t capacity) : capacity_(capacity) {}

  std::optional<std::string> get(const std::string& key);
  void put(const std::string& key, const std::string& value);
  void erase(const std::string& key);

  std::size_t size() const;
  std::uint64_t hits() const;
  std::uint64_t misses() const;

 private:
  using Entry = std::pair<std::string, std::string>;

  const std::size_t capacity_;
  mutable std::mutex lock_;   // guards all that follows
  std::list<Entry> entries_;  // the last used first
  std::unordered_map<std::string, std::list<Entry>::iterator> index_;
  std::uint64_t hits_ = 0, misses_ = 0;
};

}  // namespace kv
