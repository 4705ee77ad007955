// How many different happens-before orders complete executions had: the number of Mazurkiewicz traces, where everything was explored.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "core/execution.h"

namespace tarry::native::rt {

class OrdersMet {
 public:
  void add(const Signature& order) {
    constexpr std::size_t kMost = 1 << 20;
    if (met_.size() < kMost) met_.insert(order);
    else too_many_ = true;
  }
  void clear() { met_.clear(); }
  /// 0: there were too many to be kept, or none was told.
  std::uint64_t count() const { return too_many_ ? 0 : met_.size(); }

 private:
  struct Hash {
    std::size_t operator()(const Signature& order) const { return order.low; }
  };
  std::unordered_set<Signature, Hash> met_;
  bool too_many_ = false;
};

}  // namespace tarry::native::rt
