// Iterative preemption bounding: explores all executions without a preemption, then with one, and so on.
//
// A preemption is a switch away from a process that can continue and did not yield. Most bugs of thread programs need few.
//
// Paper: Musuvathi, Qadeer. Iterative Context Bounding, PLDI 2007; with a cache as in Desai, Qadeer, Seshia, FSE 2015, 6.1.
#include "core/registry.h"
#include "explore/preemption_bounding.h"
#include "explore/reexecution.h"
#include "explore/stratified.h"

namespace tarry {
namespace {

class PreemptionBounded final : public Search {
 public:
  void run(Session& session) override {
    MemoryBudget budget(session.options().limits.memory);
    PreemptionBounding preemptions;
    if (by_running(session)) return walk_tree(session, preemptions, {.last = session.options().limits.max_preemptions}, budget);
    Interner surveys(budget);
    StratifiedPlan plan;
    plan.last = session.options().limits.max_preemptions;
    Stratified(session, preemptions, plan, budget, surveys).run();
  }
};

const Registration<Search> entry{{
    .name = "preemption-bounded",
    .summary = "by number of preemptions, nothing explored twice",
    .paper = "Musuvathi and Qadeer, PLDI 2007",
    .kind = {.complete = true, .runs = true, .limits = {"max-preemptions", "strict-bound", "cache", "choice-cost"}, .make = [](const ParamValues&) { return std::make_unique<PreemptionBounded>(); }},
}};

}  // namespace
}  // namespace tarry
