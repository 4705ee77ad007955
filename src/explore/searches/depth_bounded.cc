// Iterative depth bounding: explores everything within 100 steps, then within 200, and so on, in random order.
//
// This is the usual baseline for delay bounding.
//
// Paper: Desai, Qadeer, Rajamani. MSR-TR-2015-28, table 2 (random DFS).
#include <algorithm>

#include "core/registry.h"
#include "explore/bounded_walk.h"
#include "explore/shuffled.h"
#include "store/memory_budget.h"

namespace tarry {
namespace {

class DepthBounded final : public Search {
 public:
  DepthBounded(std::uint64_t stride, bool finish) : stride_(stride), finish_(finish) {}

  void run(Session& session) override {
    const Limits& limits = session.options().limits;
    MemoryBudget budget(limits.memory);
    Shuffled depth(session.options().seed, 1);
    // What is reachable depends on the depth alone.
    BoundedPlan plan{.first = stride_, .delta = stride_, .last = {}, .memo_matters = false, .finish_at_random = finish_};
    if (limits.max_depth_given) {
      plan.first = std::min<std::uint64_t>(stride_, limits.max_depth);
      plan.last = limits.max_depth;
    }
    walk_bounded(session, depth, plan, budget);
  }

 private:
  std::uint64_t stride_;
  bool finish_;
};

const Registration<Search> entry{{
    .name = "depth-bounded",
    .summary = "by depth, in random order, nothing explored twice",
    .paper = "Desai et al., MSR-TR-2015-28, table 2",
    .params = {{"stride", 100, 1, 1'000'000, "steps added to the depth from one stratum to the next"},
               {"finish", 0, 0, 1, "1: executions that are run go on at random behind the bound, as in Fair Stateless Model Checking, table 2"}},
    .kind = {.complete = true, .runs = true,
             .limits = {"strict-bound", "cache", "choice-cost"}, .make =
                 [](const ParamValues& values) {
                   return std::make_unique<DepthBounded>(static_cast<std::uint64_t>(values.at("stride")), values.at("finish") != 0);
                 }},
}};

}  // namespace
}  // namespace tarry
