// A counterexample of a liveness property: moves that lead to a loop, and the loop, which is fair by itself when it is gone round for ever.
//
// Both are short: the nearest state of the component, the nearest hot edge, and then what fairness asks for, nearest first.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "explore/liveness/fair_components.h"

namespace tarry {

struct Lasso {
  std::vector<Move> stem, loop;
  std::vector<std::string> why;  // it is fair, a sentence each
  std::size_t against = 0;       // the first step of the loop (from 0) with a data choice that could lead out of it; as long as the loop: there is none
};

/// Of a loop: who runs in it, and who does not though it could somewhere, with a step after which it cannot.
struct WhoRuns {
  struct Waiting {
    std::string name;
    std::size_t after;
  };
  std::vector<std::string> running;
  std::vector<Waiting> waiting;
};
/// "the loop is weakly fair: in it A, B run; C cannot run after step 4".
std::string say_who_runs(LoopFairness fairness, const WhoRuns& who);

/// Goes through the component that `components` found last. `hurry` is asked now and then: once it returns true, nothing more is added to the loop for fairness.
Lasso make_lasso(StateGraph& graph, const FairComponents& components, Enabled& enabled, Narrator& narrator, const std::function<bool()>& hurry);

}  // namespace tarry
