// Iterative preemption bounding: explores all executions without a preemption, then with one, and so on.
//
// A preemption is a switch away from a process that can continue and did not yield. Most bugs of thread programs need few.
//
// Paper: Musuvathi, Qadeer. Iterative Context Bounding, PLDI 2007; with a cache as in Desai, Qadeer, Seshia, FSE 2015, 6.1.
#include "core/registry.h"
#include "core/search.h"
#include "explore/bounded_walk.h"
#include "explore/preemption_bounding.h"
#include "store/memory_budget.h"

namespace tarry {
namespace {

class PreemptionBounded final : public Search {
 public:
  void run(Session& session) override {
    MemoryBudget budget(session.options().limits.memory);
    PreemptionBounding preemptions;
    walk_bounded(session, preemptions, {.last = session.options().limits.max_preemptions}, budget);
  }
};

const Registration<Search> entry{{
    .name = "preemption-bounded",
    .summary = "by number of preemptions, nothing explored twice",
    .paper = "Musuvathi and Qadeer, PLDI 2007",
    .kind = {.complete = true, .runs = true, .limits = {"max-preemptions", "strict-bound", "cache", "choice-cost"}, .hunts_states = {{10, {}, ChoiceCost::kValue}}, .make = [](const ParamValues&) { return std::make_unique<PreemptionBounded>(); }},
}};

}  // namespace
}  // namespace tarry
