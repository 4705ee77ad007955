// The points that a tree search has been at, by their signature, each with the least cost it was reached at.
//
// Open addressing over one array that doubles. When memory is spent it no longer grows: what is not in it is then explored again, which
// costs time and loses nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/execution.h"
#include "store/memory_budget.h"

namespace tarry {

class OrderCache {
 public:
  explicit OrderCache(MemoryBudget& budget) : budget_(budget) {}

  /// True: not been here, or only at a higher cost. From now on it was.
  bool enter(Signature key, std::uint64_t cost) {
    if (key == Signature{}) key.low = 1;
    if (count_ * 4 >= entries_.size() * 3) grow();
    const auto price = static_cast<std::uint32_t>(cost);
    for (std::size_t at = key.low & mask_;; at = (at + 1) & mask_) {
      Entry& entry = entries_[at];
      if (entry.low == key.low && entry.high == key.high) {
        if (entry.cost <= price) return false;
        entry.cost = price;
        return true;
      }
      if (entry.low == 0 && entry.high == 0) {
        if (count_ * 8 < entries_.size() * 7) entry = {key.high, key.low, price}, ++count_;
        return true;
      }
    }
  }

  void clear() {
    budget_.give(entries_.size() * sizeof(Entry));
    entries_ = {};
    count_ = mask_ = 0;
  }
  std::uint64_t size() const { return count_; }

 private:
  struct Entry {
    std::uint64_t high = 0, low = 0;  // both 0: empty
    std::uint32_t cost = 0;
  };

  void grow() {
    const std::size_t size = entries_.empty() ? 4096 : entries_.size() * 2;
    if (!budget_.take(size * sizeof(Entry))) {
      if (!entries_.empty()) return;
      budget_.force(size * sizeof(Entry));
    }
    std::vector<Entry> before(size);
    before.swap(entries_);
    mask_ = size - 1;
    for (const Entry& entry : before) {
      if (entry.low == 0 && entry.high == 0) continue;
      std::size_t at = entry.low & mask_;
      while (entries_[at].low != 0 || entries_[at].high != 0) at = (at + 1) & mask_;
      entries_[at] = entry;
    }
    budget_.give(before.size() * sizeof(Entry));
  }

  MemoryBudget& budget_;
  std::vector<Entry> entries_;
  std::size_t count_ = 0, mask_ = 0;
};

}  // namespace tarry
