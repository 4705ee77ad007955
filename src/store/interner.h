// Numbers for short byte strings: memos of explorers, sets of processes. Equal strings get equal numbers, which never change.
//
// Strings that are known are found without a lock, and read back by their number without one; only a new string takes the lock of
// its shard. When the slots of a shard grow, the old ones stay for whoever is still looking at them.
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
  struct Slots {
    explicit Slots(std::size_t size) : mask(size - 1), ids(size) {}
    std::size_t mask;
    std::vector<std::atomic<std::uint32_t>> ids;  // + 1, 0 is empty
  };
  struct Shard {
    Shard() : all(1), slots(nullptr) { slots = (all[0] = std::make_unique<Slots>(64)).get(); }
    SpinLock lock;  // guards all of it but `slots`, which changes under it
    std::vector<std::unique_ptr<Slots>> all;
    std::atomic<Slots*> slots;
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
    if (const Found known = find(*shard.slots.load(std::memory_order_acquire), bytes, tag); known.id != 0) return known.id - 1;
    const std::scoped_lock lock(shard.lock);
    Slots& slots = *shard.slots.load(std::memory_order_relaxed);
    const Found place = find(slots, bytes, tag);
    if (place.id != 0) return place.id - 1;
    const std::uint32_t id = count_.fetch_add(1, std::memory_order_relaxed);
    entries_[id] = {copy(shard, bytes), static_cast<std::uint32_t>(bytes.size()), tag};
    slots.ids[place.at].store(id + 1, std::memory_order_release);
    if (++shard.count * 2 > slots.ids.size()) grow(shard);
    return id;
  }

  struct Found {
    std::uint32_t id;  // + 1, 0: not there
    std::size_t at;    // the slot it has, or would have
  };
  Found find(const Slots& slots, std::span<const std::byte> bytes, std::uint32_t tag) const {
    for (std::size_t at = tag & slots.mask;; at = (at + 1) & slots.mask) {
      const std::uint32_t id = slots.ids[at].load(std::memory_order_acquire);
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
    const Slots& before = *shard.slots.load(std::memory_order_relaxed);
    auto after = std::make_unique<Slots>(before.ids.size() * 2);
    for (const auto& slot : before.ids) {
      const std::uint32_t id = slot.load(std::memory_order_relaxed);
      if (id == 0) continue;
      std::size_t at = entries_[id - 1].hash & after->mask;
      while (after->ids[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & after->mask;
      after->ids[at].store(id, std::memory_order_relaxed);
    }
    budget_.force(after->ids.size() * 4 + std::uint64_t{shard.count} * sizeof(Entry) / 2);
    shard.slots.store(after.get(), std::memory_order_release);
    shard.all.push_back(std::move(after));
  }

  VirtualArray<Entry> entries_;
  MemoryBudget& budget_;
  std::atomic<std::uint32_t> count_{0};
  std::array<Shard, 16> shards_;
};

}  // namespace tarry
