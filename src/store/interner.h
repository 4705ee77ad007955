// Numbers for short byte strings: memos of explorers, sets of processes. Equal strings get equal numbers, which never change.
//
// Sharded by hash, a lock a shard; reading a string back by its number takes no lock.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/spin_lock.h"
#include "base/virtual_array.h"
#include "store/memory_budget.h"

namespace tarry {

class Interner {
 public:
  explicit Interner(MemoryBudget& budget)
      : entries_(std::min<std::uint64_t>(std::uint64_t{1} << 32, budget.limit() / sizeof(Entry) * 2 + (1 << 20))), budget_(budget) {}

  template <class T>
  std::uint32_t intern(std::span<const T> items) {
    return intern_bytes(std::as_bytes(items));
  }

  template <class T>
  std::span<const T> get(std::uint32_t id) const {
    const Entry& entry = entries_[id];
    return {reinterpret_cast<const T*>(entry.data), entry.size / sizeof(T)};
  }

 private:
  struct Entry {
    const std::byte* data;
    std::uint32_t size;
    std::uint32_t hash;
  };
  struct Shard {
    SpinLock lock;  // guards all of it
    std::vector<std::uint32_t> slots = std::vector<std::uint32_t>(64);  // id + 1, 0 is empty
    std::uint32_t count = 0;
    std::vector<std::unique_ptr<std::byte[]>> blocks;
    std::size_t room = 0;
    std::byte* next = nullptr;
  };
  static constexpr std::size_t kBlock = 16384;

  std::uint32_t intern_bytes(std::span<const std::byte> bytes) {
    const std::uint64_t hash = hash_of(bytes);
    const auto tag = static_cast<std::uint32_t>(hash);
    Shard& shard = shards_[hash >> 60];
    const std::scoped_lock lock(shard.lock);
    std::size_t mask = shard.slots.size() - 1;
    std::size_t at = tag & mask;
    for (; shard.slots[at] != 0; at = (at + 1) & mask) {
      const Entry& entry = entries_[shard.slots[at] - 1];
      if (entry.hash == tag && entry.size == bytes.size() && std::memcmp(entry.data, bytes.data(), bytes.size()) == 0)
        return shard.slots[at] - 1;
    }
    const std::uint32_t id = count_.fetch_add(1, std::memory_order_relaxed);
    entries_[id] = {copy(shard, bytes), static_cast<std::uint32_t>(bytes.size()), tag};
    shard.slots[at] = id + 1;
    if (++shard.count * 2 > shard.slots.size()) grow(shard);
    return id;
  }

  const std::byte* copy(Shard& shard, std::span<const std::byte> bytes) {
    const std::size_t need = (bytes.size() + 7) / 8 * 8;
    if (shard.next == nullptr || shard.room < need) {
      const std::size_t size = std::max(kBlock, need);
      shard.blocks.push_back(std::make_unique<std::byte[]>(size));
      shard.next = shard.blocks.back().get();
      shard.room = size;
      budget_.force(size);
    }
    std::byte* const here = shard.next;
    std::memcpy(here, bytes.data(), bytes.size());
    shard.next += need;
    shard.room -= need;
    return here;
  }

  void grow(Shard& shard) {
    std::vector<std::uint32_t> slots(shard.slots.size() * 2);
    for (const std::uint32_t slot : shard.slots) {
      if (slot == 0) continue;
      std::size_t at = entries_[slot - 1].hash & (slots.size() - 1);
      while (slots[at] != 0) at = (at + 1) & (slots.size() - 1);
      slots[at] = slot;
    }
    budget_.force(shard.slots.size() * 4 + std::uint64_t{shard.count} * sizeof(Entry) / 2);
    shard.slots = std::move(slots);
  }

  VirtualArray<Entry> entries_;
  MemoryBudget& budget_;
  std::atomic<std::uint32_t> count_{0};
  std::array<Shard, 16> shards_;
};

}  // namespace tarry
