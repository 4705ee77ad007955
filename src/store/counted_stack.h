// A stack that is counted against a budget, by the most that it has held.
#pragma once

#include <cstddef>

#include "base/virtual_vector.h"
#include "store/memory_budget.h"

namespace tarry {

template <class T>
class CountedStack {
 public:
  explicit CountedStack(MemoryBudget& budget) : budget_(budget), items_(budget.limit() / sizeof(T) + 2 * kBlock) {}
  ~CountedStack() { budget_.give(counted_ * sizeof(T)); }
  CountedStack(const CountedStack&) = delete;
  CountedStack& operator=(const CountedStack&) = delete;

  /// Returns false if the budget is exceeded: the search has to stop.
  bool push(const T& item) {
    items_.push_back(item);
    if (items_.size() <= counted_) [[likely]] return true;
    budget_.force(kBlock * sizeof(T));
    counted_ += kBlock;
    return !budget_.exceeded() || counted_ == kBlock;  // the first few are free
  }
  T& back() { return items_.back(); }
  void pop() { items_.pop_back(); }
  bool empty() const { return items_.empty(); }
  void clear() { items_.clear(); }

 private:
  static constexpr std::size_t kBlock = 4096;
  MemoryBudget& budget_;
  VirtualVector<T> items_;
  std::size_t counted_ = 0;
};

}  // namespace tarry
