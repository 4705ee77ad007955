// The policy of stratified sampling: the order of an explorer, with delays at given positions.
//
// A position is a choice point at which a delay still changes something. Positions are counted from the last delay on, which
// stays at its point: the same point can be delayed again while alternatives are left.
#pragma once

#include <cstdint>
#include <span>

#include "core/execution.h"
#include "explore/asked_explorer.h"

namespace tarry {

class DelayPolicy final : public Policy {
 public:
  DelayPolicy(const AskedExplorer& explorer, std::span<const std::uint64_t> positions) : explorer_(explorer), positions_(positions) {}

  /// Goes on from a point in the middle of an execution instead of its start.
  void resume(Memo memo) {
    memo_ = std::move(memo);
    resumed_ = true;
  }

  void begin(const Survey& first) override {
    if (!resumed_) memo_ = explorer_.initial(first.alive());
  }

  /// A fault of the explorer ends the execution.
  std::uint32_t pick(const ChoicePoint& point) override {
    if (explorer_.checked() && point.alternatives() > 1 && point.values == 0) [[unlikely]] explorer_.check_coverage(memo_, point.survey.open());
    const std::uint32_t chosen = choose(point);
    return explorer_.faulty() ? kAbandon : chosen;
  }

  void stepped(const Step& step) override { memo_ = explorer_.step(memo_, step); }

  /// How many positions there were after the last delay.
  std::uint64_t open_positions() const { return open_positions_; }
  std::uint64_t delays() const { return used_up_; }

 private:
  std::uint32_t choose(const ChoicePoint& point) {
    const std::uint32_t all = point.alternatives();
    std::uint32_t used = 0;
    while (used + 1 < all) {
      if (used_up_ < positions_.size() && open_positions_ == positions_[used_up_]) {
        ++used_up_;
        open_positions_ = 0;
        if (point.values == 0) memo_ = explorer_.delay(memo_, point.survey.open());
        ++used;
      } else {
        ++open_positions_;
        break;
      }
    }
    if (point.values != 0) return used;
    return index(point.survey.sealed() ? point.survey.owner() : explorer_.next(memo_, point.survey.open()));
  }

  const AskedExplorer& explorer_;
  std::span<const std::uint64_t> positions_;
  Memo memo_;
  bool resumed_ = false;
  std::size_t used_up_ = 0;
  std::uint64_t open_positions_ = 0;
};

}  // namespace tarry
