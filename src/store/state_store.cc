#include "store/state_store.h"

#include <cstring>

#include "base/assert.h"
#include "store/fold_plan.h"

namespace tarry {

StateStore::StateStore(const Shape& shape, const SearchOptions& options, MemoryBudget& budget)
    : shape_(shape),
      when_full_(options.when_full),
      cache_(options.cache),
      budget_(budget),
      pins_(budget) {
  if (shape.words > 2) {
    folds_ = shape.folds.empty() ? fold_neighbours(shape.words) : shape.folds;
    TARRY_ASSERT(folds_.size() == shape.words - 1);
    root_ = folds_.back();
    folds_.pop_back();
  }
  const bool memo_in_key = cache_ == CacheKey::kProgramAndExplorer;
  if (shape.words > 2 || memo_in_key || options.strict_bound)
    pairs_ = std::make_unique<PairTable>(std::min<std::uint64_t>(budget.limit() / 8 + (1 << 22), std::uint64_t{1} << 32), &budget);
  if (cache_ == CacheKey::kNone) return;
  if (options.store == StoreKind::kBitstate) {
    bits_.emplace(budget.limit() / 2);
    budget_.force(bits_->bytes());
    return;
  }
  small_first_ = shape.words > 2 || memo_in_key;
  const bool small_only = shape.bits <= LaneTable<std::uint32_t>::kKeyBits && shape.words <= 2 && !memo_in_key;
  if (small_first_ || small_only) narrow_.emplace(budget.limit());
  if (!small_only) wide_.emplace(budget.limit());
  // Beside the narrow table the wide table mostly stays empty. Its first lines cost nothing until they are used, so they are not
  // counted.
  budget_.force(small_first_ ? narrow_->bytes() : lane_bytes());
}

StateStore::~StateStore() { budget_.give(bytes() - (small_first_ ? LaneTable<std::uint64_t>(0).bytes() : 0)); }

std::uint64_t StateStore::bytes() const {
  return lane_bytes() + (bits_ ? bits_->bytes() : 0);
}

StateKey StateStore::fold(StateView state, const FoldedState* near, FoldedState* out) {
  gate_.pass();
  // The words of the state, then the pairs.
  static thread_local std::vector<std::uint32_t> scratch;
  std::vector<std::uint32_t>& nodes = out != nullptr ? out->nodes : scratch;
  nodes.resize(shape_.words + folds_.size());
  std::memcpy(nodes.data(), state.data(), state.size_bytes());
  const std::uint32_t* like = near == nullptr || near->nodes.size() != nodes.size() ? nullptr : near->nodes.data();
  std::uint32_t* to = nodes.data() + shape_.words;
  for (const Fold fold : folds_) {
    const std::uint32_t a = nodes[fold.left], b = nodes[fold.right];
    const bool same = like != nullptr && like[fold.left] == a && like[fold.right] == b;
    *to = same ? like[to - nodes.data()] : number_of_pair(a | std::uint64_t{b} << 32);
    ++to;
  }
  return StateKey{nodes[root_.left] | std::uint64_t{nodes[root_.right]} << 32};
}

void StateStore::unfold(std::uint64_t raw, Word* words, FoldedState* out) const {
  static thread_local std::vector<std::uint32_t> scratch;
  std::vector<std::uint32_t>& nodes = out != nullptr ? out->nodes : scratch;
  nodes.resize(shape_.words + folds_.size());
  nodes[root_.left] = static_cast<std::uint32_t>(raw);
  nodes[root_.right] = static_cast<std::uint32_t>(raw >> 32);
  for (std::size_t i = folds_.size(); i-- > 0;) {
    const std::uint64_t pair = pairs_->pair(nodes[shape_.words + i]);
    nodes[folds_[i].left] = static_cast<std::uint32_t>(pair);
    nodes[folds_[i].right] = static_cast<std::uint32_t>(pair >> 32);
  }
  std::memcpy(words, nodes.data(), shape_.words * sizeof(Word));
}

StateKey StateStore::with_memo(StateKey key, std::uint32_t memo) {
  gate_.pass();
  return StateKey{number_of_pair(static_cast<std::uint64_t>(key)) | std::uint64_t{memo} << 32};
}

// Checks before every single pair: a state may have more pairs than there are slots left.
std::uint32_t StateStore::number_of_pair(std::uint64_t pair) {
  if (pairs_->crowded()) [[unlikely]] make_room_in_pairs();
  return pairs_->intern(pair);
}

void StateStore::make_room_in_pairs() {
  gate_.alone([&] {
    if (!pairs_->crowded()) return;
    const std::uint64_t more = pairs_->growth_bytes();
    if (!budget_.take(more)) {
      if (narrow_ || wide_) full_.store(true, std::memory_order_relaxed);
      if (pairs_->stay_as_it_is()) return;
      budget_.force(more);  // searches that continue without storing states still need numbers for them
    }
    pairs_->grow();
  });
  TARRY_ASSERT(!pairs_->out_of_numbers());
}

/// Adds an array of bits. If there is no room for a further array, the last one takes all further states: more states are missed,
/// as bitstate permits.
void StateStore::make_room_in_bits() {
  gate_.alone([&] {
    if (!bits_->crowded()) return;
    const std::uint64_t more = bits_->growth_bytes();
    if (more != 0 && budget_.take(more)) bits_->grow();
    else bits_->close();
  });
}

template <class Table>
bool StateStore::make_room_in_visited(Table& table) {
  bool room = true;
  const std::uint64_t before = table.bytes();
  gate_.alone([&] {
    if (table.bytes() != before) return;  // another worker has just done it
    const std::uint64_t after = table.bytes_after_growth();
    if (after == 0 || !budget_.take(after - before)) {
      full_.store(true, std::memory_order_relaxed);
      room = false;
    } else {
      table.grow();
    }
  });
  return room;
}
template bool StateStore::make_room_in_visited(LaneTable<std::uint32_t>&);
template bool StateStore::make_room_in_visited(LaneTable<std::uint64_t>&);

}  // namespace tarry
