// Dynamic partial-order reduction by source sets: simpler than dpor, but some executions are started in vain
// (explore/dpor/trace_walk.h).
//
// Paper: Abdulla, Aronis, Jonsson, Sagonas. Optimal Dynamic Partial Order Reduction. POPL 2014, Source-DPOR.
#include "core/registry.h"
#include "explore/dpor/trace_walk.h"

namespace tarry {
namespace {

class SourceDpor final : public Search {
 public:
  void run(Session& session) override { walk_traces(session, TraceWalk::Method::kSource); }
};

const Registration<Search> entry{{
    .name = "source-dpor",
    .summary = "as dpor, by source sets: simpler, and some executions are begun in vain",
    .paper = "Abdulla et al., POPL 2014, Source-DPOR",
    .kind = {.complete = true, .runs = true, .reduces = true, .make = [](const ParamValues&) { return std::make_unique<SourceDpor>(); }},
}};

}  // namespace
}  // namespace tarry
