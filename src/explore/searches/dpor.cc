// Optimal dynamic partial-order reduction: one execution per Mazurkiewicz trace of the program (explore/dpor/trace_walk.h).
//
// Paper: Abdulla, Aronis, Jonsson, Sagonas. Optimal Dynamic Partial Order Reduction. POPL 2014, Optimal-DPOR.
#include "core/registry.h"
#include "explore/dpor/trace_walk.h"

namespace tarry {
namespace {

class Dpor final : public Search {
 public:
  void run(Session& session) override { walk_traces(session, TraceWalk::Method::kOptimal); }
};

const Registration<Search> entry{{
    .name = "dpor",
    .summary = "one execution for each order of dependent steps",
    .paper = "Abdulla et al., POPL 2014, Optimal-DPOR",
    .kind = {.complete = true, .runs = true, .reduces = true, .make = [](const ParamValues&) { return std::make_unique<Dpor>(); }},
}};

}  // namespace
}  // namespace tarry
