// Assigns numbers to short byte strings: memos of explorers, sets of processes. Equal strings get equal numbers, which never
// change.
//
// Known strings are found, and read by their number, without a lock. Only a new string takes the lock of its shard. The slots of
// a shard grow in place, under its lock. Meanwhile a reader without the lock may miss an existing string, but never gets a wrong
// one. A reader that finds nothing looks again with the lock.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/assert.h"
#include "base/hash.h"
#include "base/spin_lock.h"
#include "base/virtual_array.h"
#include "store/first_sizes.h"
#include "store/memory_budget.h"

namespace tarry {

class Interner {
 public:
  explicit Interner(MemoryBudget& budget)
      : entries_(std::min<std::uint64_t>(std::uint64_t{1} << 32, budget.limit() / sizeof(Entry) * 2 + (1 << 20))), budget_(budget) {
    // Four slots per entry if all entries are used: a shard is hardly ever twice as full as another.
    for (Shard& shard : shards_) shard.slots = VirtualArray<std::uint32_t>(std::bit_ceil(entries_.capacity() / shards_.size()) * 4);
  }

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
    SpinLock lock;  // guards the rest; slots and mask are also read without it
    VirtualArray<std::uint32_t> slots;  // number + 1; 0 is empty
    std::atomic<std::size_t> mask{kFirstInternerSlots - 1};
    std::uint32_t count = 0;
    std::vector<std::unique_ptr<std::byte[]>> blocks;
    std::size_t room = 0;
    std::byte* next = nullptr;
  };
  static constexpr std::size_t kBlock = 16384;
  static constexpr std::uint32_t kCounted = 1024;  // entries are counted in batches of this size

  std::uint32_t intern_bytes(std::span<const std::byte> bytes) {
    const std::uint64_t hash = hash_of(bytes);
    const auto tag = static_cast<std::uint32_t>(hash);
    Shard& shard = shards_[hash >> 60];
    if (const Found known = find(shard, bytes, tag); known.id != 0) return known.id - 1;
    const std::scoped_lock lock(shard.lock);
    const Found place = find(shard, bytes, tag);
    if (place.id != 0) return place.id - 1;
    const std::uint32_t id = count_.fetch_add(1, std::memory_order_relaxed);
    if (id % kCounted == 0) budget_.force(kCounted * sizeof(Entry));
    entries_[id] = {copy(shard, bytes), static_cast<std::uint32_t>(bytes.size()), tag};
    std::atomic_ref(shard.slots[place.at]).store(id + 1, std::memory_order_release);
    if (++shard.count * 2 > shard.mask.load(std::memory_order_relaxed)) grow(shard);
    return id;
  }

  struct Found {
    std::uint32_t id;  // number + 1; 0: not found
    std::size_t at;    // the slot of the string, or the slot where it belongs
  };
  Found find(Shard& shard, std::span<const std::byte> bytes, std::uint32_t tag) const {
    const std::size_t mask = shard.mask.load(std::memory_order_acquire);
    for (std::size_t at = tag & mask;; at = (at + 1) & mask) {
      const std::uint32_t id = std::atomic_ref(shard.slots[at]).load(std::memory_order_acquire);
      if (id == 0) return {0, at};
      const Entry& entry = entries_[id - 1];
      if (entry.hash == tag && entry.size == bytes.size() && std::memcmp(entry.data, bytes.data(), bytes.size()) == 0) return {id, at};
    }
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
    const std::size_t before = shard.mask.load(std::memory_order_relaxed) + 1, mask = 2 * before - 1;
    TARRY_ASSERT(mask < shard.slots.capacity());
    std::vector<std::uint32_t> ids;
    ids.reserve(shard.count);
    for (std::size_t at = 0; at < before; ++at)
      if (const std::uint32_t id = std::atomic_ref(shard.slots[at]).exchange(0, std::memory_order_relaxed); id != 0) ids.push_back(id);
    for (const std::uint32_t id : ids) {
      std::size_t at = entries_[id - 1].hash & mask;
      while (std::atomic_ref(shard.slots[at]).load(std::memory_order_relaxed) != 0) at = (at + 1) & mask;
      std::atomic_ref(shard.slots[at]).store(id, std::memory_order_release);
    }
    budget_.force(before * 4);
    shard.mask.store(mask, std::memory_order_release);
  }

  VirtualArray<Entry> entries_;
  MemoryBudget& budget_;
  std::atomic<std::uint32_t> count_{0};
  std::array<Shard, 16> shards_;
};

}  // namespace tarry
