#include "plang/vm/creation_order.h"

#include <algorithm>

namespace tarry::plang {

CreationOrder::CreationOrder(const PProgram& program) : space_(program.world(), program.layout()), state_(program.layout().words()), taken_(program.layout().words()) {
  space_.take_over();
}

std::optional<std::uint32_t> CreationOrder::number_of(std::uint32_t slot) const {
  if (slot >= numbers_.size() || numbers_[slot] == kNone) return std::nullopt;
  return numbers_[slot];
}

void CreationOrder::give(std::uint32_t slot, std::uint32_t number) {
  if (slot >= numbers_.size()) numbers_.resize(slot + 1, kNone);
  numbers_[slot] = number;
  agrees_ = agrees_ && slot == number;
}

bool CreationOrder::step(std::uint32_t slot, std::span<const std::uint32_t> values) {
  space_.take(state_, ProcessId{slot}, values, taken_);
  if (taken_.outcome != abi::Outcome::kMoved) return false;
  std::copy(taken_.state().begin(), taken_.state().end(), state_.begin());
  for (const std::uint32_t made : space_.created()) give(made, created_++);
  for (const auto& [from, to] : space_.renamed()) {
    give(to, numbers_[from]);
    numbers_[from] = kNone;
  }
  return true;
}

}  // namespace tarry::plang
