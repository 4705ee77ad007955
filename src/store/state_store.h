// The store of visited states.
//
// A state of any width becomes a 64-bit key, and the key gives the state back. Two words are the key. Longer states are folded:
// pairs are replaced by their numbers (store/pair_table.h) until two numbers are left. The program decides which words are folded
// together (Shape::folds). Stacks and frontiers hold keys. Whether a state was visited depends on its key alone (exact, the
// default) or on a few bits.
//
// The store is bounded: when the budget is used up, new states are no longer added, or replace others. States on a worker's stack
// or in a frontier are then pinned, so a search cannot run around a cycle (store/pins.h).
//
// All workers may call all functions at once. Requires: the worker is inside `gate()`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/search.h"
#include "store/bit_array.h"
#include "store/growth_gate.h"
#include "store/lane_table.h"
#include "store/memory_budget.h"
#include "store/pair_table.h"
#include "store/pins.h"

namespace tarry {

enum class StateKey : std::uint64_t {};

/// The nodes of one folded state. They are kept while its successors are folded, because successors share most of them.
struct FoldedState {
  std::vector<std::uint32_t> nodes;
};

class StateStore {
 public:
  /// Creates tables for states of the given shape. With CacheKey::kNone nothing is stored and every state is new.
  StateStore(const Shape& shape, const SearchOptions& options, MemoryBudget& budget);
  ~StateStore();

  Gate& gate() { return gate_; }
  const Shape& shape() const { return shape_; }

  /// Returns the key of a state. `near` (if not null) is the folding of a similar state; `out` (if not null) receives the folding
  /// of this one.
  StateKey key(StateView state, const FoldedState* near = nullptr, FoldedState* out = nullptr) {
    if (shape_.words == 1) return StateKey{state[0]};
    if (shape_.words == 2) return StateKey{state[0] | std::uint64_t{state[1]} << 32};
    return fold(state, near, out);
  }
  /// Writes the state of a key to `words`, and its folding to `out` (if not null).
  void state(StateKey key, Word* words, FoldedState* out = nullptr) const {
    const auto raw = static_cast<std::uint64_t>(key);
    if (shape_.words > 2) return unfold(raw, words, out);
    words[0] = static_cast<Word>(raw);
    if (shape_.words == 2) words[1] = static_cast<Word>(raw >> 32);
  }

  // Visits. `memo` is the explorer's memo; it counts only if the cache key includes it.

  /// Returns whether the table is larger than the processor's caches, so that touching places before visits pays.
  bool large() const { return lane_bytes() > (std::uint64_t{32} << 20); }
  /// Starts to load the place of a state from memory. Call it for several states in a row, before their visits.
  void touch(StateKey state) const {
    const std::uint64_t number = number_of(state);
    if (in_narrow(number)) narrow_->touch(number);
    else if (wide_) wide_->touch(number);
    else if (bits_) bits_->touch(number);
  }
  bool contains(StateKey state) const {
    const std::uint64_t number = number_of(state);
    const bool visited = in_narrow(number) ? narrow_->contains(number) : wide_ ? wide_->contains(number) : bits_ ? bits_->contains(number) : false;
    return visited || (full() && pins_.contains(static_cast<std::uint64_t>(state)));
  }

  /// Visits a state. kNew: it is visited from now on. kFull: it is new but could not be stored; pin it while it is in use.
  Visit visit(StateKey state, std::uint32_t memo = 0) {
    if (full() && pins_.contains(static_cast<std::uint64_t>(state))) [[unlikely]] return Visit::kSeen;
    const std::uint64_t number = number_of(cache_ == CacheKey::kProgramAndExplorer ? with_memo(state, memo) : state);
    gate_.pass();
    if (in_narrow(number)) return visit_in(*narrow_, number);
    if (wide_) return visit_in(*wide_, number);
    if (bits_) {
      if (bits_->crowded()) [[unlikely]] make_room_in_bits();
      return bits_->insert(number);
    }
    return Visit::kNew;
  }

  /// Returns whether a state could not be added.
  bool full() const { return full_.load(std::memory_order_relaxed); }
  /// Pins program states that are in use. Used only when the store is full.
  void pin(StateKey state) { pins_.pin(static_cast<std::uint64_t>(state)); }
  void unpin(StateKey state) { pins_.unpin(static_cast<std::uint64_t>(state)); }
  /// Allows replacement. Nothing is replaced until every worker has pinned its stack and called this.
  void allow_replacement() { replacement_allowed_.store(true, std::memory_order_release); }

  std::uint64_t bytes() const;

 private:
  StateKey fold(StateView state, const FoldedState* near, FoldedState* out);
  void unfold(std::uint64_t key, Word* words, FoldedState* out) const;

  // The tables of visited states hold numbers. If keys have 64 bits but consist of two small numbers (of pairs), this mapping
  // puts the small ones first, so most fit into the narrow table. Each table has its own range, and no number ever changes
  // tables.
  std::uint64_t number_of(StateKey state) const {
    const auto key = static_cast<std::uint64_t>(state);
    return small_first_ ? along_squares(key & 0xffff'ffff, key >> 32) : key;
  }
  /// Maps two 32-bit numbers to one 64-bit number, bijectively (Szudzik's pairing): a and b below n give the numbers below n * n.
  static std::uint64_t along_squares(std::uint64_t a, std::uint64_t b) { return a < b ? b * b + a : a * a + a + b; }
  bool in_narrow(std::uint64_t number) const { return narrow_ && number >> LaneTable<std::uint32_t>::kKeyBits == 0; }
  std::uint64_t lane_bytes() const { return (narrow_ ? narrow_->bytes() : 0) + (wide_ ? wide_->bytes() : 0); }

  StateKey with_memo(StateKey state, std::uint32_t memo);
  std::uint32_t number_of_pair(std::uint64_t pair);
  void make_room_in_pairs();
  void make_room_in_bits();
  template <class Table>
  bool make_room_in_visited(Table& table);
  template <class Table>
  Visit visit_in(Table& table, std::uint64_t key) {
    while (true) {
      const Visit visit = table.insert(key);
      if (visit != Visit::kFull) [[likely]] return visit;
      if (full() || !make_room_in_visited(table)) break;
    }
    if (when_full_ == WhenFull::kReplace && replacement_allowed_.load(std::memory_order_acquire)) {
      table.replace(key);
      return Visit::kNew;
    }
    return Visit::kFull;
  }

  Shape shape_;
  WhenFull when_full_;
  CacheKey cache_;
  bool small_first_ = false;
  MemoryBudget& budget_;
  Gate gate_;
  std::vector<Fold> folds_;  // without the root, which is the key
  Fold root_{0, 1};
  std::unique_ptr<PairTable> pairs_;
  std::optional<LaneTable<std::uint32_t>> narrow_;
  std::optional<LaneTable<std::uint64_t>> wide_;
  std::optional<BitArrays> bits_;
  std::atomic<bool> full_{false};
  std::atomic<bool> replacement_allowed_{false};
  Pins pins_;
};

}  // namespace tarry
