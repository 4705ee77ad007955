// A counterexample of a liveness property: moves that lead to a loop, and the loop, which is fair by itself when it is gone round for ever.
//
// Both are short: the nearest state of the component, the nearest hot edge, and then what fairness asks for, nearest first.
#pragma once

#include <string>
#include <vector>

#include "explore/liveness/fair_components.h"

namespace tarry {

struct Lasso {
  std::vector<Move> stem, loop;
  std::vector<std::string> why;  // it is fair, a sentence each
};

/// `component` is what `components` found last.
Lasso make_lasso(StateGraph& graph, const FairComponents& components, Enabled& enabled, Narrator& narrator);

}  // namespace tarry
