// Stratified exhaustive search: explores all executions without a delay, then all with one, and so on.
//
// It visits every reachable state in the end, and ends if there are finitely many. Bugs that are close to the explorer's order
// are found in the first strata.
//
// Paper: Desai, Qadeer, Seshia. FSE 2015, figure 5 and theorem 2. The walk itself is in explore/stratified.cc.
#include "core/registry.h"
#include "explore/bounded_walk.h"
#include "explore/delay_bounding.h"

namespace tarry {
namespace {

class Ses final : public Search {
 public:
  explicit Ses(std::uint64_t delta) : delta_(delta) {}

  void run(Session& session) override {
    const SearchOptions& options = session.options();
    MemoryBudget budget(options.limits.memory);
    DelayBounding delays(session, budget);
    walk_bounded(session, delays, {.delta = delta_, .last = options.limits.max_delays}, budget);
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
             .limits = {"max-delays", "strict-bound", "cache", "choice-cost"}, .hunts_states = {{0, "run-to-completion", ChoiceCost::kValue}, {2, "round-robin", ChoiceCost::kUnit}, {4, "probabilistic-round-robin", ChoiceCost::kValue},
                              {6, "random", ChoiceCost::kUnit}, {8, "priority", ChoiceCost::kValue}},
             .make = [](const ParamValues& values) { return std::make_unique<Ses>(static_cast<std::uint64_t>(values.at("delta"))); }},
}};

}  // namespace
}  // namespace tarry
