// A deterministic automaton of a Büchi automaton, so that a formula can be watched like a spec: one state, whatever the word.
//
// It accepts by pairs: a word is accepted if there is a pair that is hot again and again, and cold only finitely often. That is how liveness properties are marked
// (core/program.h: Property), so each pair is one.
//
// Safra's trees with marks on transitions (Safra, FOCS 1988; Schewe, FoSSaCS 2009, puts the marks on transitions). A tree's nodes hold states of the Büchi automaton; a
// node's children hold those that came by an accepting transition since. When all of a node's states are in its children, the node is hot and its children go. A node
// that holds nothing any more is cold, and goes.
#pragma once

#include <cstdint>
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
  /// State 0 is the first. Letters are numbers in the list that it was made for.
  const Move& move(std::uint32_t state, std::size_t letter) const { return moves_[state * letters_ + letter]; }
  /// Is the word accepted that goes on with this letter only?
  bool accepts_for_ever(std::uint32_t state, std::size_t letter) const;

  friend Result<Rabin> deterministic(const Buchi& buchi, std::span<const Letter> letters);

 private:
  std::uint32_t pairs_ = 0;
  std::size_t letters_ = 0, states_ = 0;
  std::vector<Move> moves_;
};

/// For words over these letters. An error if it would be too large.
Result<Rabin> deterministic(const Buchi& buchi, std::span<const Letter> letters);

}  // namespace tarry::ltl
