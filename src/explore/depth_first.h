// Depth-first walks with a set of visited states: plain, randomized, alone or by several workers on one store.
//
// Figure 2 (plain) and 3 (randomized) of Dwyer, Elbaum, Person, Purandare: Parallel Randomized State-space Search, ICSE 2007.
// The searches `dfs`, `random-dfs` and `prss` are made of this.
//
// A state is expanded once, all its successors in one go. They are visited one after the other, in the order of the recursive
// algorithm; when the walk goes deeper for the first time, those that were visited meanwhile are dropped from the rest.
//
// Properties are tested on every transition, before the store is asked. Where the store is full, states on the stack are
// pinned: the walk then goes round no cycle, and ends.
#pragma once

#include <cstdint>
#include <optional>

#include "base/rng.h"
#include "core/search.h"

namespace tarry {

struct DepthFirstPlan {
  bool shuffle = false;
  std::uint64_t seed = 1;
};

/// Walks the whole program (or as far as limits allow) with session.options().jobs workers and one store. A program that can only be
/// run is run again from the start for each execution. Fills session.outcome.
void depth_first(Session& session, const DepthFirstPlan& plan);

}  // namespace tarry
