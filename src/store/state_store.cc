#include "store/state_store.h"

#include <bit>
#include <cstring>

#include "base/assert.h"

namespace tarry {

StateStore::StateStore(const Shape& shape, const SearchOptions& options, MemoryBudget& budget)
    : shape_(shape),
      when_full_(options.when_full),
      cache_(options.cache),
      lossy_hash_(options.store == StoreKind::kHash64),
      budget_(budget),
      pins_(budget) {
  for (std::uint32_t n = shape.words; true; n = (n + 1) / 2) {
    level_sizes_.push_back(n);
    if (n <= 2) break;
  }
  const bool memo_in_key = cache_ == CacheKey::kProgramAndExplorer;
  if (shape.words > 2 || memo_in_key || options.strict_bound)
    pairs_ = std::make_unique<PairTable>(std::min<std::uint64_t>(budget.limit() / 8 + (1 << 22), std::uint64_t{1} << 32));
  if (cache_ == CacheKey::kNone) return;
  if (options.store == StoreKind::kBitstate) {
    const std::uint64_t bytes = std::bit_floor(std::max<std::uint64_t>(budget.limit() / 2, 64));
    bits_.emplace(bytes);
    budget_.force(bytes);
  } else if (shape.bits <= LaneTable<std::uint32_t>::kKeyBits && shape.words <= 2 && !memo_in_key && !lossy_hash_) {
    narrow_.emplace(budget.limit());
    budget_.force(narrow_->bytes());
  } else {
    wide_.emplace(budget.limit());
    budget_.force(wide_->bytes());
  }
}

StateStore::~StateStore() { budget_.give(bytes()); }

std::uint64_t StateStore::bytes() const {
  return (narrow_ ? narrow_->bytes() : 0) + (wide_ ? wide_->bytes() : 0) + (bits_ ? bits_->bytes() : 0);
}

StateKey StateStore::fold(StateView state, const FoldedState* near, FoldedState* out) {
  gate_.pass();
  if (pairs_->crowded()) [[unlikely]] make_room_in_pairs();

  // Level by level, all levels one after the other in `nodes`, the state's words first.
  static thread_local std::vector<std::uint32_t> scratch;
  std::vector<std::uint32_t>& nodes = out != nullptr ? out->nodes : scratch;
  std::size_t total = 0;
  for (const std::uint32_t n : level_sizes_) total += n;
  nodes.resize(total);
  std::memcpy(nodes.data(), state.data(), state.size_bytes());
  const std::uint32_t* like = near == nullptr || near->nodes.size() != total ? nullptr : near->nodes.data();
  std::size_t from = 0;
  for (std::size_t level = 0; level + 1 < level_sizes_.size(); ++level) {
    const std::uint32_t n = level_sizes_[level];
    const std::size_t to = from + n;
    for (std::uint32_t i = 0; i + 1 < n; i += 2) {
      const std::uint32_t a = nodes[from + i], b = nodes[from + i + 1];
      const bool same = like != nullptr && like[from + i] == a && like[from + i + 1] == b;
      nodes[to + i / 2] = same ? like[to + i / 2] : pairs_->intern(a | std::uint64_t{b} << 32);
    }
    if (n % 2 == 1) nodes[to + n / 2] = nodes[from + n - 1];
    from = to;
  }
  return StateKey{nodes[from] | std::uint64_t{nodes[from + 1]} << 32};
}

void StateStore::unfold(std::uint64_t raw, Word* words) const {
  // From the top down, in place: each level is written from its end, so that no node is overwritten before it is read.
  words[0] = static_cast<Word>(raw);
  words[1] = static_cast<Word>(raw >> 32);
  for (std::size_t level = level_sizes_.size() - 1; level-- > 0;) {
    const std::uint32_t n = level_sizes_[level];
    if (n % 2 == 1) words[n - 1] = words[n / 2];
    for (std::uint32_t i = n / 2; i-- > 0;) {
      const std::uint64_t pair = pairs_->pair(words[i]);
      words[2 * i] = static_cast<Word>(pair);
      words[2 * i + 1] = static_cast<Word>(pair >> 32);
    }
  }
}

std::uint64_t StateStore::with_memo(StateKey key, std::uint32_t memo) {
  gate_.pass();
  if (pairs_->crowded()) make_room_in_pairs();
  return pairs_->intern(static_cast<std::uint64_t>(key)) | std::uint64_t{memo} << 32;
}

void StateStore::make_room_in_pairs() {
  gate_.alone([&] {
    if (!pairs_->crowded()) return;
    budget_.force(pairs_->growth_bytes() + std::uint64_t{pairs_->size()} * 4);  // the nodes since the last time, about
    pairs_->grow();
  });
  TARRY_ASSERT(!pairs_->out_of_numbers());
}

bool StateStore::make_room_in_visited() {
  bool room = true;
  const std::uint64_t before = bytes();
  gate_.alone([&] {
    if (bytes() != before) return;  // somebody else has just done it
    const std::uint64_t after = narrow_ ? narrow_->bytes_after_growth() : wide_->bytes_after_growth();
    if (after == 0 || !budget_.take(after - before)) {
      full_.store(true, std::memory_order_relaxed);
      room = false;
    } else if (narrow_) {
      narrow_->grow();
    } else {
      wide_->grow();
    }
  });
  return room;
}

}  // namespace tarry
