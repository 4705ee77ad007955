// A Büchi automaton that accepts exactly the words that satisfy a formula.
//
// The construction is a tableau. A state is a set of formulas that must hold from here on. Each formula is decomposed into a
// condition on the next letter and formulas that must hold after it. A word is accepted if no `until` is postponed for ever.
// (Couvreur, FM 1999, describes tableaus with marks on transitions; this construction is our own and simpler.)
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ltl/formula.h"

namespace tarry::ltl {

/// The atoms that hold: bit i is atom i.
using Letter = std::uint32_t;

struct Buchi {
  struct Edge {
    std::uint32_t to;
    Letter holds, fails;  // atoms that must hold, and atoms that must not
    bool accepting;
    bool takes(Letter letter) const { return (letter & holds) == holds && (letter & fails) == 0; }
    auto operator<=>(const Edge&) const = default;
  };
  std::vector<std::vector<Edge>> edges;  // by state; state 0 is the initial state
};

/// Returns the automaton of a formula in `formulas`, and may add formulas there. Returns an error if the automaton would be too
/// large. `poll` is called every few milliseconds meanwhile, and may throw.
Result<Buchi> automaton(Formulas& formulas, Node root, const std::function<void()>& poll = {});

}  // namespace tarry::ltl
