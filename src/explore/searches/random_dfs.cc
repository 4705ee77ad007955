// Randomized depth-first search: works as `dfs`, but takes the successors of each state in random order.
//
// A run is one walk of the state space; another seed gives another walk. `prss` runs many of them.
//
// Paper: Dwyer, Elbaum, Person, Purandare. ICSE 2007, figure 3 (with an unbiased shuffle).
#include "core/registry.h"
#include "explore/depth_first.h"

namespace tarry {
namespace {

class RandomDfs final : public Search {
 public:
  void run(Session& session) override {
    depth_first(session, {.shuffle = true, .seed = session.options().seed});
  }
};

const Registration<Search> entry{{
    .name = "random-dfs",
    .summary = "depth-first in random order",
    .paper = "Dwyer et al., ICSE 2007, figure 3",
    .kind = {.complete = true, .runs = true, .limits = {"cache"}, .hunts_states = {{5}}, .make = [](const ParamValues&) { return std::make_unique<RandomDfs>(); }},
}};

}  // namespace
}  // namespace tarry
