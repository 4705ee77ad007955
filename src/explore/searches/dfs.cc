// Depth-first search: continues from the newest state, and goes back when there is no new successor.
//
// Visits every reachable state once. Needs the least memory of all complete searches; its counterexamples can be long.
//
// Paper: Dwyer, Elbaum, Person, Purandare. Parallel Randomized State-space Search. ICSE 2007, figure 2.
#include "core/registry.h"
#include "explore/depth_first.h"

namespace tarry {
namespace {

class Dfs final : public Search {
 public:
  void run(Session& session) override {
    depth_first(session, {.shuffle = false, .seed = session.options().seed});
  }
};

const Registration<Search> entry{{
    .name = "dfs",
    .summary = "depth-first, every state once; the least memory",
    .paper = "Dwyer et al., ICSE 2007, figure 2",
    .kind = {.complete = true, .runs = true, .limits = {"cache"}, .make = [](const ParamValues&) { return std::make_unique<Dfs>(); }},
}};

}  // namespace
}  // namespace tarry
