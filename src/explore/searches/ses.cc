// Stratified exhaustive search: explores all executions without a delay, then all with one, and so on.
//
// It visits every reachable state in the end, and ends if there are finitely many. Bugs that are close to the explorer's order
// are found in the first strata.
//
// Paper: Desai, Qadeer, Seshia. FSE 2015, figure 5 and theorem 2. The walk itself is in explore/stratified.h.
#include "core/registry.h"
#include "explore/delay_bounding.h"
#include "explore/reexecution.h"
#include "explore/stratified.h"

namespace tarry {
namespace {

class Ses final : public Search {
 public:
  explicit Ses(std::uint64_t delta) : delta_(delta) {}

  void run(Session& session) override {
    const SearchOptions& options = session.options();
    MemoryBudget budget(options.limits.memory);
    DelayBounding delays(session, budget);
    if (by_running(session)) {
      walk_tree(session, delays, {.delta = delta_, .last = options.limits.max_delays}, budget);
    } else {
      Interner surveys(budget);
      StratifiedPlan plan;
      plan.delta = delta_;
      plan.last = options.limits.max_delays;
      Stratified(session, delays, plan, budget, surveys).run();
    }
    if (delta_ > 1) session.outcome.notes.push_back("with --delta above 1 the number of delays of a finding need not be the least");
  }

 private:
  std::uint64_t delta_;
};

const Registration<Search> entry{{
    .name = "ses",
    .summary = "stratified exhaustive: by number of delays of an explorer, nothing explored twice",
    .paper = "Desai et al., FSE 2015, figure 5",
    .params = {{"delta", 1, 1, 1'000'000, "delays added from one stratum to the next"}},
    .kind = {.takes_explorer = true,
             .complete = true, .runs = true,
             .limits = {"max-delays", "strict-bound", "cache", "choice-cost"}, .make = [](const ParamValues& values) { return std::make_unique<Ses>(static_cast<std::uint64_t>(values.at("delta"))); }},
}};

}  // namespace
}  // namespace tarry
