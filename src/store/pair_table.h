// Assigns numbers to pairs of numbers: the inner nodes of tree-compressed states (Laarman, van de Pol, Weber: Parallel recursive
// state compression for free, SPIN 2011). Equal pairs get equal numbers, and a number gives its pair back.
//
// Nodes are stored once, in order of arrival, and never move. The index is an open table of node numbers; a slot is claimed by
// compare-and-swap before the node is written. Growing the index needs exclusive use of the table. The index doubles while it is
// small, and then grows by a quarter, so that a budget can be kept.
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
  /// Creates a table. Nodes beyond those of the first slots are counted against the budget, in batches. The code that calls
  /// grow() accounts for the slots.
  explicit PairTable(std::uint64_t max_nodes, MemoryBudget* budget = nullptr)
      : pages_(pages_for(max_nodes * 8)), nodes_(max_nodes, pages_), slots_(kFirstPairSlots, pages_), budget_(budget), small_(budget == nullptr ? UINT64_MAX : budget->limit() / 64) {
    lay_out(kFirstPairSlots);
  }

  /// Returns the number of a pair. Requires: crowded() was false just before, so more slots are left than there are workers.
  std::uint32_t intern(std::uint64_t pair) {
    for (std::uint64_t at = place(pair);; at = at + 1 == count_of_slots_ ? 0 : at + 1) {
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

  bool crowded() const { return size() >= most_; }
  bool out_of_numbers() const { return size() + (1u << 16) >= nodes_.capacity(); }
  std::uint64_t bytes() const { return std::uint64_t{size()} * 8 + count_of_slots_ * 4; }
  std::uint64_t growth_bytes() const { return (slots_after_growth() - count_of_slots_) * 4; }

  /// Grows the index. Requires: no other worker uses the table.
  void grow() {
    const std::uint64_t slots = slots_after_growth();
    slots_ = VirtualArray<std::uint32_t>(slots, pages_);
    lay_out(slots);
    for (std::uint32_t id = 0; id < size(); ++id) {
      std::uint64_t at = place(nodes_[id]);
      while (slots_[at] != 0) at = at + 1 == slots ? 0 : at + 1;
      slots_[at] = id + 1;
    }
  }
  /// Fills up the slots instead of growing, which makes the table slower. Returns false if it has done so before. Requires: no
  /// other worker uses the table.
  bool stay_as_it_is() {
    const std::uint64_t all = count_of_slots_ / 16 * 15;
    return most_ < all ? (most_ = all, true) : false;
  }

 private:
  static constexpr std::uint32_t kBusy = ~std::uint32_t{0};
  static constexpr std::uint32_t kCounted = 1 << 12;

  void lay_out(std::uint64_t slots) {
    count_of_slots_ = slots;
    most_ = slots / 8 * 6;
  }
  std::uint64_t slots_after_growth() const { return count_of_slots_ < small_ ? count_of_slots_ * 2 : count_of_slots_ + count_of_slots_ / 4; }
  std::uint64_t place(std::uint64_t pair) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(mix64(pair)) * count_of_slots_ >> 64);
  }

  Pages pages_;
  VirtualArray<std::uint64_t> nodes_;
  VirtualArray<std::uint32_t> slots_;  // node number + 1; 0 empty; kBusy being written
  std::uint64_t count_of_slots_ = 0;
  std::uint64_t most_ = 0;  // pairs, before the table is crowded
  MemoryBudget* budget_;
  std::uint64_t small_;  // number of slots up to which it doubles
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace tarry
