// Nested depth-first search with a growing delay bound. It starts again at every bound, because its correctness depends on
// post-order.
//
// The graph is kept from bound to bound (explore/liveness/deep_graph.h), so no step of the program is taken twice; only walking
// the graph again remains as a cost. The inner search has the same bound as the outer one: both walk the edges that cost at most
// the bound.
//
// Several workers share a bound (explore/liveness/parallel_nested.h). The worker that first reaches a state decides its number of
// delays, so with several workers the states of a bound vary between runs. In the end the graph is the same.
//
// Works without fairness, or with weak fairness by copies. Data choices may go against the program.
//
// Paper: Desai, Qadeer, Rajamani, MSR-TR-2015-28, sections 4.2 and 5.3.
#include <algorithm>

#include "core/registry.h"
#include "explore/liveness/walk_nested.h"

namespace tarry {
namespace {

class IterativeNdfs final : public Search {
 public:
  explicit IterativeNdfs(std::uint64_t delta) : delta_(delta) {}

  void run(Session& session) override {
    walk_nested(session, "delays", [&](const RunNested& run) { deepen(session, run); });
  }

 private:
  void deepen(Session& session, const RunNested& run) const {
    const auto last = session.options().limits.max_delays;
    for (std::uint64_t bound = 0;; bound = last ? std::min(bound + delta_, *last) : bound + delta_) {
      session.progress().bound.store(bound, std::memory_order_relaxed);
      const bool more = run(bound);
      if (session.stopping()) return;
      session.outcome.reached = bound;
      session.outcome.reached_any = true;
      if (!more) return;
      if (last && bound >= *last) return session.stop(StoppedBy::kBound);
    }
  }

  std::uint64_t delta_;
};

const Registration<Search> entry{{
    .name = "iterative-ndfs",
    .summary = "liveness without fairness or with weak fairness, by number of delays: nested depth-first search, anew at every bound",
    .paper = "Desai, Qadeer, Rajamani, MSR-TR-2015-28, section 5.3",
    .params = {{"delta", 1, 1, 1'000'000, "delays added from one stratum to the next"}},
    .kind = {.takes_explorer = true,
             .decides_liveness = true,
             .complete = true,
             .limits = {"max-delays", "choice-cost", "fairness"},
             .make = [](const ParamValues& values) { return std::make_unique<IterativeNdfs>(static_cast<std::uint64_t>(values.at("delta"))); }},
}};

}  // namespace
}  // namespace tarry
