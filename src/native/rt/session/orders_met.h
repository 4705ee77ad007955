// How many different happens-before orders complete executions had: the number of Mazurkiewicz traces, where everything was explored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include "core/execution.h"

namespace tarry::native::rt {

class OrdersMet {
 public:
  static constexpr std::size_t kMost = 1 << 20;
  static constexpr std::uint64_t kBytesEach = 64;

  /// At most as many as fit into so many bytes, and at most kMost.
  explicit OrdersMet(std::uint64_t bytes = kMost * kBytesEach) : most_(std::min<std::uint64_t>(kMost, bytes / kBytesEach)) {}
  /// The most that they will take.
  std::uint64_t bytes() const { return most_ * kBytesEach; }

  /// Returns false if there are too many of them, or more than `most`: they are not counted any longer, and their memory is free again.
  bool add(const Signature& order, std::size_t most = kMost) {
    if (too_many_) return false;
    met_.insert(order);
    too_many_ = met_.size() > std::min(most, most_);
    if (too_many_) met_ = {};
    return !too_many_;
  }
  void clear() {
    met_.clear();
    too_many_ = false;
  }
  /// 0: there were too many to be kept, or none was told.
  std::uint64_t count() const { return too_many_ ? 0 : met_.size(); }

 private:
  struct Hash {
    std::size_t operator()(const Signature& order) const { return order.low; }
  };
  std::size_t most_;
  std::unordered_set<Signature, Hash> met_;
  bool too_many_ = false;
};

}  // namespace tarry::native::rt
