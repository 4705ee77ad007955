// Optimal dynamic partial-order reduction: one execution per Mazurkiewicz trace of the program (explore/dpor/trace_walk.h).
//
// Paper: Abdulla, Aronis, Jonsson, Sagonas. Optimal Dynamic Partial Order Reduction. POPL 2014, Optimal-DPOR.
#include "core/registry.h"
#include "explore/dpor/trace_walk.h"

namespace tarry {
namespace {

class Dpor final : public Search {
 public:
  explicit Dpor(std::uint64_t plans) : plans_(plans) {}
  void run(Session& session) override { walk_traces(session, TraceWalk::Method::kOptimal, plans_); }

 private:
  std::uint64_t plans_;
};

const Registration<Search> entry{{
    .name = "dpor",
    .summary = "one execution for each order of dependent steps",
    .paper = "Abdulla et al., POPL 2014, Optimal-DPOR",
    .params = {{"plans", 4'000'000, 0, 1'000'000'000, "steps that are planned ahead; with more of them only the first step of a sequence is kept, and executions may be begun in vain"}},
    .kind = {.complete = true, .runs = true, .reduces = true, .make = [](const ParamValues& values) { return std::make_unique<Dpor>(static_cast<std::uint64_t>(values.at("plans"))); }},
}};

}  // namespace
}  // namespace tarry
