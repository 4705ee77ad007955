#include "core/move.h"

#include <algorithm>

#include "base/assert.h"

namespace tarry {

Move Moves::make_with(ProcessId process, std::span<const std::uint32_t> values) {
  TARRY_ASSERT(index(process) <= kProcessMask);
  if (values.size() == 1 && values[0] < kMaxLists) return Move{kSingle | values[0] << kProcessBits | index(process)};
  const std::scoped_lock lock(mutex_);
  const auto [at, added] = ids_.try_emplace(List(values.begin(), values.end()), count_);
  if (added) {
    TARRY_ASSERT(count_ < kMaxLists);  // over half a million different combinations of values in one step
    auto& block = blocks_[count_ / kPerBlock];
    if (block == nullptr) block = std::make_unique<List[]>(kPerBlock);
    block[count_ % kPerBlock] = at->first;
    ++count_;
  }
  return Move{at->second << kProcessBits | index(process)};
}

std::vector<std::uint32_t> Moves::values(Move move) const {
  std::vector<std::uint32_t> out(copy_values(move, nullptr, 0));
  copy_values(move, out.data(), out.size());
  return out;
}

std::size_t Moves::copy_values(Move move, std::uint32_t* out, std::size_t room) const noexcept {
  const auto raw = static_cast<std::uint32_t>(move);
  const std::uint32_t rest = (raw & ~kSingle) >> kProcessBits;
  if ((raw & kSingle) != 0) {
    if (room > 0) out[0] = rest;
    return 1;
  }
  if (rest == 0) return 0;
  const List& values = list(rest);
  for (std::size_t i = 0; i < std::min(room, values.size()); ++i) out[i] = values[i];
  return values.size();
}

std::vector<Choice> choices_of(const Moves& moves, std::span<const Move> path) {
  std::vector<Choice> out;
  for (const Move move : path) {
    out.push_back({Choice::Kind::kProcess, index(Moves::process(move))});
    for (const std::uint32_t value : moves.values(move)) out.push_back({Choice::Kind::kValue, value});
  }
  return out;
}

}  // namespace tarry
