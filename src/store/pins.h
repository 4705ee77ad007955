// States that must be found again although the store has no room for them: states on a worker's stack or in a frontier.
//
// Without pins, a search that cannot store A and B would go from A to B and back for ever. Pins are used only when the store is
// full, so one lock per shard is fast enough.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "base/rng.h"
#include "store/memory_budget.h"

namespace tarry {

class Pins {
 public:
  static constexpr std::uint64_t kBytes = 48;  // size of a node of the map, approximately

  explicit Pins(MemoryBudget& budget) : budget_(budget) {}

  void pin(std::uint64_t key) {
    Shard& shard = of(key);
    const std::scoped_lock lock(shard.mutex);
    if (shard.count[key]++ == 0) budget_.force(kBytes);
  }
  void unpin(std::uint64_t key) {
    Shard& shard = of(key);
    const std::scoped_lock lock(shard.mutex);
    const auto at = shard.count.find(key);
    if (at == shard.count.end()) return;
    if (--at->second == 0) {
      shard.count.erase(at);
      budget_.give(kBytes);
    }
  }
  bool contains(std::uint64_t key) const {
    const Shard& shard = of(key);
    const std::scoped_lock lock(shard.mutex);
    return shard.count.contains(key);
  }

 private:
  struct Shard {
    mutable std::mutex mutex;  // guards count
    std::unordered_map<std::uint64_t, std::uint32_t> count;
  };
  Shard& of(std::uint64_t key) { return shards_[mix64(key) % shards_.size()]; }
  const Shard& of(std::uint64_t key) const { return shards_[mix64(key) % shards_.size()]; }

  MemoryBudget& budget_;
  std::array<Shard, 64> shards_;
};

}  // namespace tarry
