// A Büchi automaton that accepts exactly the words of which a formula holds.
//
// Tableau: a state is a set of formulas that must hold from here on; each is taken apart into what must hold of the next letter and what must hold after it. A word is
// accepted if no `until` is put off for ever. (Couvreur, FM 1999, describes tableaus with marks on transitions; ours is our own and plainer.)
#pragma once

#include <cstdint>
#include <vector>

#include "ltl/formula.h"

namespace tarry::ltl {

/// Which atoms hold: bit i is atom i.
using Letter = std::uint32_t;

struct Buchi {
  struct Edge {
    std::uint32_t to;
    Letter holds, fails;  // atoms that must, and must not, hold
    bool accepting;
    bool takes(Letter letter) const { return (letter & holds) == holds && (letter & fails) == 0; }
    auto operator<=>(const Edge&) const = default;
  };
  std::vector<std::vector<Edge>> edges;  // by state; state 0 is the first
};

/// Of a formula in `formulas` (it may get more of them). An error if the automaton would be too large.
Result<Buchi> automaton(Formulas& formulas, Node root);

}  // namespace tarry::ltl
