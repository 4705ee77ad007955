#include "core/move.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"
#include "base/hash.h"

namespace tarry {
namespace {

constexpr std::size_t kFirstTable = 64;
constexpr std::uint32_t kFewest = 64;        // processes: with fewer, more lists would have numbers than fit into memory
constexpr std::uint64_t kValuesPerList = 8;  // largest average; decides how much address space is reserved

}  // namespace

Moves::Moves(std::uint32_t processes)
    : process_bits_(static_cast<unsigned>(std::bit_width(std::clamp(processes, kFewest, kMostWithoutList) - 1))),
      process_mask_((1u << process_bits_) - 1),
      first_listed_(processes <= kMostWithoutList ? process_mask_ + 1 : process_mask_),
      room_(kSingle >> process_bits_),
      table_(kFirstTable),
      ends_(room_),
      words_(room_ * kValuesPerList) {}

Move Moves::make_with(ProcessId process, std::span<const std::uint32_t> values) {
  if (index(process) >= first_listed_) {
    TARRY_ASSERT(first_listed_ == process_mask_);
    std::vector<std::uint32_t> all{index(process)};
    all.insert(all.end(), values.begin(), values.end());
    return Move{number_of(all) << process_bits_ | process_mask_};
  }
  if (values.size() == 1 && values[0] < room_) return Move{kSingle | values[0] << process_bits_ | index(process)};
  return Move{number_of(values) << process_bits_ | index(process)};
}

std::uint32_t Moves::number_of(std::span<const std::uint32_t> values) {
  const std::scoped_lock lock(mutex_);
  std::size_t at = place_of(values);
  if (table_[at] == 0) {
    const std::uint64_t end = ends_[count_ - 1];
    TARRY_ASSERT(count_ < room_ && end + values.size() <= words_.capacity());  // searches end long before: nearly_full
    std::copy(values.begin(), values.end(), words_.data() + end);
    ends_[count_] = end + values.size();
    table_[at] = count_;
    std::atomic_ref(count_).store(count_ + 1, std::memory_order_release);  // bytes() reads its end after this, without the lock
    if (std::size_t{count_} * 2 > table_.size()) {
      grow();
      at = place_of(values);
    }
  }
  return table_[at];
}

std::size_t Moves::place_of(std::span<const std::uint32_t> values) const {
  std::size_t at = hash_of(values) & (table_.size() - 1);
  for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1))
    if (std::ranges::equal(list(table_[at]), values)) break;
  return at;
}

void Moves::grow() {
  table_.assign(table_.size() * 2, 0);
  for (std::uint32_t id = 1; id < count_; ++id) table_[place_of(list(id))] = id;
}

std::uint64_t Moves::bytes() const {
  const std::uint64_t lists = std::atomic_ref(count_).load(std::memory_order_acquire);
  return lists * (sizeof(std::uint64_t) + 4 * sizeof(std::uint32_t)) + ends_[lists - 1] * sizeof(std::uint32_t);
}

std::vector<std::uint32_t> Moves::values(Move move) const {
  std::vector<std::uint32_t> out(copy_values(move, nullptr, 0));
  copy_values(move, out.data(), out.size());
  return out;
}

std::size_t Moves::copy_values(Move move, std::uint32_t* out, std::size_t room) const noexcept {
  const auto raw = static_cast<std::uint32_t>(move);
  const std::uint32_t rest = list_of(move);
  if ((raw & kSingle) != 0) {
    if (room > 0) out[0] = rest;
    return 1;
  }
  if (rest == 0) return 0;
  auto values = list(rest);
  if ((raw & process_mask_) >= first_listed_) values = values.subspan(1);
  for (std::size_t i = 0; i < std::min(room, values.size()); ++i) out[i] = values[i];
  return values.size();
}

std::vector<Choice> choices_of(const Moves& moves, std::span<const Move> path) {
  std::vector<Choice> out;
  for (const Move move : path) {
    out.push_back({Choice::Kind::kProcess, index(moves.process(move))});
    for (const std::uint32_t value : moves.values(move)) out.push_back({Choice::Kind::kValue, value});
  }
  return out;
}

}  // namespace tarry
