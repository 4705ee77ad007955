// The store: a striped map, a log of its changes, snapshots that make the log short, and a cache of what was read last.
//
// In its folder are log-N and snapshot-N. A snapshot has all that is in logs of smaller numbers. To open a store is to read the
// newest snapshot, and then the logs from its number on.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "compactor.h"
#include "lru_cache.h"
#include "striped_map.h"
#include "write_ahead_log.h"

namespace kv {

struct StoreOptions {
  std::size_t stripes = 4;
  std::size_t cached = 8;
  std::uint64_t compact_above = 512;  // bytes of log
};

class Store {
 public:
  Store(std::string folder, StoreOptions options);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::optional<std::string> get(const std::string& key);
  void put(const std::string& key, const std::string& value);

  /// Whether it was there.
  bool erase(const std::string& key);

  /// Adds to a number; what is not there counts as 0. Nothing: it is not a number.
  std::optional<std::int64_t> increment(const std::string& key, std::int64_t by);

  /// Whether the old value was the expected one.
  bool compare_and_set(const std::string& key, const std::string& expected, const std::string& value);

  std::size_t size() const { return map_.size(); }

  /// One moment of all of it.
  std::map<std::string, std::string> dump();

  /// Waits for compaction that is under way.
  void settle();

  std::uint64_t compactions() const;

 private:
  void recover();
  void compact();
  void apply(const Record& record);

  /// Logs a change and makes it. Requires: the stripe is locked. The caller commits when it has given the lock back.
  std::uint64_t change(StripedMap::Stripe& stripe, Record record);
  void commit(std::uint64_t number);
  std::string file(const char* kind, std::uint64_t number) const;

  const std::string folder_;
  const StoreOptions options_;
  StripedMap map_;
  LruCache cache_;                // changed under the lock of the key's stripe
  std::uint64_t generation_ = 0;  // of the log; changed by compact() only, under all locks
  std::unique_ptr<WriteAheadLog> log_;
  mutable std::mutex counters_;  // guards compactions_
  std::uint64_t compactions_ = 0;
  std::unique_ptr<Compactor> compactor_;  // last: it uses all of the above
};

/// A number for all keys and values.
std::uint64_t digest(const std::map<std::string, std::string>& values);

}  // namespace kv
