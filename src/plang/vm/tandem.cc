#include "plang/vm/tandem.h"

#include <algorithm>

namespace tarry::plang {

bool Tandem::start() { return first_.space.initial(first_.state.data()).kind.empty() && second_.space.initial(second_.state.data()).kind.empty(); }

std::optional<std::uint32_t> Tandem::second_of(std::uint32_t slot) const {
  if (slot >= numbers_.size() || numbers_[slot] == kNone) return std::nullopt;
  return numbers_[slot];
}

bool Tandem::step(std::uint32_t slot, std::span<const std::uint32_t> values) {
  const auto there = second_of(slot);
  if (!there) return false;
  first_.space.take(first_.state, ProcessId{slot}, values, first_.taken);
  second_.space.take(second_.state, ProcessId{*there}, values, second_.taken);
  for (Side* const side : {&first_, &second_}) {
    if (side->taken.outcome != abi::Outcome::kMoved) return false;
    std::copy(side->taken.state().begin(), side->taken.state().end(), side->state.begin());
  }
  const auto made = first_.space.created(), made_there = second_.space.created();
  for (std::size_t n = 0; n < std::min(made.size(), made_there.size()); ++n) {
    if (made[n] >= numbers_.size()) numbers_.resize(made[n] + 1, kNone);
    numbers_[made[n]] = made_there[n];
  }
  for (const auto& [from, to] : first_.space.renamed()) {
    if (to >= numbers_.size()) numbers_.resize(to + 1, kNone);
    numbers_[to] = numbers_[from];
    numbers_[from] = kNone;
  }
  for (const auto& [from, to] : second_.space.renamed()) std::replace(numbers_.begin(), numbers_.end(), from, to);
  return true;
}

}  // namespace tarry::plang
