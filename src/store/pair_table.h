// Assigns numbers to pairs of numbers: the inner nodes of tree-compressed states (Laarman, van de Pol, Weber: Parallel recursive
// state compression for free, SPIN 2011). Equal pairs get equal numbers, and a number gives its pair back.
//
// Nodes are stored once, in order of arrival, and never move. The index is an open table of node numbers; a slot is claimed by
// compare-and-swap before the node is written. Growing the index needs exclusive use of the table. The index doubles while it is
// small, and then grows by a quarter, so that a budget can be kept.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "base/rng.h"
#include "base/spin_lock.h"
#include "base/virtual_array.h"
#include "store/first_sizes.h"
#include "store/memory_budget.h"

namespace tarry {

class PairTable {
 private:
  struct alignas(64) Gap {  // numbers of no pair
    std::uint32_t begin = 0, end = 0;
  };

 public:
  /// Creates a table. Nodes beyond those of the first slots are counted against the budget, in batches. The code that calls
  /// grow() accounts for the slots.
  explicit PairTable(std::uint64_t max_nodes, MemoryBudget* budget = nullptr)
      : pages_(pages_for(max_nodes * 8)), nodes_(max_nodes, pages_), slots_(kFirstPairSlots, pages_), budget_(budget), small_(budget == nullptr ? UINT64_MAX : budget->limit() / 64) {
    lay_out(kFirstPairSlots);
  }

  /// Numbers that one worker has taken in advance. What a worker finds in a row then lies together in arrays by number, and workers
  /// do not write to the same cache lines. Numbers that are taken and not used yet belong to no pair.
  class Numbers {
   public:
    explicit Numbers(PairTable& table) : table_(table), gap_(table.new_gap()) {}

   private:
    friend class PairTable;
    static constexpr std::uint32_t kAtOnce = 64;
    std::uint32_t take() {
      if (gap_.begin == gap_.end) {
        gap_.begin = table_.count_.fetch_add(kAtOnce, std::memory_order_relaxed);
        gap_.end = gap_.begin + kAtOnce;
      }
      return gap_.begin++;
    }
    PairTable& table_;
    Gap& gap_;
  };

  /// Returns the number of a pair. Requires: crowded() was false just before, so more slots are left than there are workers.
  std::uint32_t intern(std::uint64_t pair) {
    return intern(pair, [this] { return count_.fetch_add(1, std::memory_order_relaxed); });
  }
  /// The same, with a number of the worker's own if the pair is new.
  std::uint32_t intern(std::uint64_t pair, Numbers& numbers) {
    return intern(pair, [&] { return numbers.take(); });
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
    std::vector<Gap> gaps(gaps_.begin(), gaps_.end());
    std::sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.begin < b.begin; });
    std::uint32_t id = 0;
    for (const Gap& gap : gaps) {
      if (gap.begin == gap.end) continue;
      put_in_slots(id, gap.begin);
      id = gap.end;
    }
    put_in_slots(id, size());
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

  template <class Number>
  std::uint32_t intern(std::uint64_t pair, const Number& number) {
    for (std::uint64_t at = place(pair);; at = at + 1 == count_of_slots_ ? 0 : at + 1) {
      std::atomic_ref slot(slots_[at]);
      std::uint32_t id = slot.load(std::memory_order_acquire);
      if (id == 0) {
        if (slot.compare_exchange_strong(id, kBusy, std::memory_order_acquire)) {
          const std::uint32_t fresh = number();
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

  void put_in_slots(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t id = from; id < to; ++id) {
      std::uint64_t at = place(nodes_[id]);
      while (slots_[at] != 0) at = at + 1 == count_of_slots_ ? 0 : at + 1;
      slots_[at] = id + 1;
    }
  }
  Gap& new_gap() {
    const std::scoped_lock lock(gaps_lock_);
    return gaps_.emplace_back();
  }

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
  alignas(64) std::atomic<std::uint32_t> count_{0};  // written at every new pair: apart from what every look reads
  alignas(64) SpinLock gaps_lock_;
  std::deque<Gap> gaps_;  // one for each Numbers that there was; they never move
};

}  // namespace tarry
