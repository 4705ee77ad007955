// What a bounded tree search puts aside for its next stratum: points, each named by the choices that lead there and the turn to go on with.
//
// First in, first out. A search puts points aside on its way back, so neighbours share most of their prefix; only the rest is stored,
// a few words each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "store/memory_budget.h"

namespace tarry {

class PrefixFrontier {
 public:
  explicit PrefixFrontier(MemoryBudget& budget) : budget_(&budget) {}

  /// `known_same`: so many choices, or more, are those of the last point that was put; to look for them costs as much as their number.
  void put(std::span<const std::uint32_t> prefix, std::uint32_t turn, std::size_t known_same = 0) {
    const auto most = static_cast<std::ptrdiff_t>(std::min(prefix.size(), last_in_.size()));
    const auto from = std::min(static_cast<std::ptrdiff_t>(known_same), most);
    const auto same = static_cast<std::uint32_t>(std::mismatch(prefix.begin() + from, prefix.begin() + most, last_in_.begin() + from).first - prefix.begin());
    push(same);
    push(static_cast<std::uint32_t>(prefix.size()));
    push(turn);
    for (std::size_t i = same; i < prefix.size(); ++i) push(prefix[i]);
    last_in_.resize(same);
    last_in_.insert(last_in_.end(), prefix.begin() + same, prefix.end());
    ++size_;
  }

  /// The oldest one. False: there is none.
  bool get(std::vector<std::uint32_t>& prefix, std::uint32_t& turn) {
    if (size_ == 0) return false;
    const std::uint32_t same = pop();
    const std::uint32_t length = pop();
    turn = pop();
    last_out_.resize(same);
    while (last_out_.size() < length) last_out_.push_back(pop());
    prefix = last_out_;
    --size_;
    return true;
  }

  std::uint64_t size() const { return size_; }
  void clear() {
    budget_->give(blocks_.size() * kBlock * 4);
    blocks_.clear();
    last_in_.clear();
    last_out_.clear();
    size_ = first_ = end_ = 0;
  }

 private:
  static constexpr std::size_t kBlock = 1 << 14;

  void push(std::uint32_t word) {
    if (end_ % kBlock == 0) {
      blocks_.push_back(std::make_unique<std::uint32_t[]>(kBlock));
      budget_->force(kBlock * 4);
    }
    blocks_.back()[end_++ % kBlock] = word;
  }
  std::uint32_t pop() {
    const std::uint32_t word = blocks_.front()[first_++ % kBlock];
    if (first_ % kBlock == 0) {
      blocks_.pop_front();
      budget_->give(kBlock * 4);
    }
    return word;
  }

  MemoryBudget* budget_;
  std::deque<std::unique_ptr<std::uint32_t[]>> blocks_;
  std::uint64_t size_ = 0, first_ = 0, end_ = 0;
  std::vector<std::uint32_t> last_in_, last_out_;
};

}  // namespace tarry
