// A deterministic automaton for a Büchi automaton, so that a formula can be watched like a spec: one state per word.
//
// It accepts by pairs: a word is accepted if some pair is hot infinitely often and cold only finitely often. Liveness properties
// are marked in the same way (core/program.h: Property), so each pair is one property.
//
// The construction uses Safra's trees with marks on transitions (Safra, FOCS 1988; Schewe, FoSSaCS 2009, puts the marks on
// transitions). The nodes of a tree hold states of the Büchi automaton. The children of a node hold the states that were reached
// by an accepting transition since. When all states of a node are in its children, the node is hot and its children are removed.
// A node without states is cold, and is removed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ltl/buchi.h"

namespace tarry::ltl {

class Rabin {
 public:
  struct Move {
    std::uint32_t to;
    std::uint32_t hot, cold;  // bit i: pair i
  };
  static constexpr std::size_t kMostPairs = 24;

  std::uint32_t pairs() const { return pairs_; }
  std::size_t states() const { return states_; }
  /// Returns the move from a state. State 0 is the initial state. Letters are indices into the list given to deterministic().
  const Move& move(std::uint32_t state, std::size_t letter) const { return moves_[state * letters_ + letter]; }
  /// Returns whether the word that repeats this letter for ever is accepted.
  bool accepts_for_ever(std::uint32_t state, std::size_t letter) const;

  friend Result<Rabin> deterministic(const Buchi& buchi, std::span<const Letter> letters, const std::function<void()>& poll);

 private:
  std::uint32_t pairs_ = 0;
  std::size_t letters_ = 0, states_ = 0;
  std::vector<Move> moves_;
};

/// Returns the automaton for words over these letters, or an error if it would be too large. `poll` is called
/// meanwhile, and may throw.
Result<Rabin> deterministic(const Buchi& buchi, std::span<const Letter> letters, const std::function<void()>& poll = {});

}  // namespace tarry::ltl
