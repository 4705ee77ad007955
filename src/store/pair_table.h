// Numbers for pairs of numbers: the inner nodes of tree-compressed states (Laarman, van de Pol, Weber: Parallel recursive
// state compression for free, SPIN 2011). Equal pairs get equal numbers, and a number gives its pair back.
//
// Nodes are stored once, in order of arrival, and never move. The index is an open table of node numbers; a slot is claimed
// by compare-and-swap before the node is written. Growing the index needs the table for oneself.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/rng.h"
#include "base/spin_lock.h"
#include "base/virtual_array.h"
#include "store/first_sizes.h"
#include "store/memory_budget.h"

namespace tarry {

class PairTable {
 public:
  /// Nodes are counted against the budget as they come, in pieces, but for those that the first slots have room for; slots are up to the one who lets it grow.
  explicit PairTable(std::uint64_t max_nodes, MemoryBudget* budget = nullptr)
      : pages_(pages_for(max_nodes * 8)), nodes_(max_nodes, pages_), slots_(kFirstPairSlots, pages_), mask_(kFirstPairSlots - 1), budget_(budget) {}

  /// Requires: crowded() was false just before: a quarter of the slots is left for as many pairs at most as there are workers.
  std::uint32_t intern(std::uint64_t pair) {
    for (std::uint64_t at = mix64(pair) & mask_;; at = (at + 1) & mask_) {
      std::atomic_ref slot(slots_[at]);
      std::uint32_t id = slot.load(std::memory_order_acquire);
      if (id == 0) {
        if (slot.compare_exchange_strong(id, kBusy, std::memory_order_acquire)) {
          const std::uint32_t fresh = count_.fetch_add(1, std::memory_order_relaxed);
          if (fresh >= kFirstPairSlots && fresh % kCounted == 0 && budget_ != nullptr) budget_->force(kCounted * 8);
          nodes_[fresh] = pair;
          slot.store(fresh + 1, std::memory_order_release);
          return fresh;
        }
      }
      while (id == kBusy) {
        cpu_pause();
        id = slot.load(std::memory_order_acquire);
      }
      if (nodes_[id - 1] == pair) return id - 1;
    }
  }

  std::uint64_t pair(std::uint32_t id) const { return nodes_[id]; }
  std::uint32_t size() const { return count_.load(std::memory_order_relaxed); }

  bool crowded() const { return size() >= (mask_ + 1) / 8 * 6; }
  bool out_of_numbers() const { return size() + (1u << 16) >= nodes_.capacity(); }
  std::uint64_t bytes() const { return std::uint64_t{size()} * 8 + (mask_ + 1) * 4; }
  std::uint64_t growth_bytes() const { return (mask_ + 1) * 4; }

  /// Requires: nobody else uses the table.
  void grow() {
    const std::uint64_t slots = (mask_ + 1) * 2;
    slots_ = VirtualArray<std::uint32_t>(slots, pages_);
    mask_ = slots - 1;
    for (std::uint32_t id = 0; id < size(); ++id) {
      std::uint64_t at = mix64(nodes_[id]) & mask_;
      while (slots_[at] != 0) at = (at + 1) & mask_;
      slots_[at] = id + 1;
    }
  }

 private:
  static constexpr std::uint32_t kBusy = ~std::uint32_t{0};
  static constexpr std::uint32_t kCounted = 1 << 12;

  Pages pages_;
  VirtualArray<std::uint64_t> nodes_;
  VirtualArray<std::uint32_t> slots_;  // node number + 1, 0 empty, kBusy being written
  std::uint64_t mask_;
  MemoryBudget* budget_;
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace tarry
