// Dynamic partial-order reduction, optimal: every Mazurkiewicz trace of the program by one execution (explore/dpor/trace_walk.h).
#include "core/registry.h"
#include "explore/dpor/trace_walk.h"

namespace tarry {
namespace {

class Dpor final : public Search {
 public:
  explicit Dpor(TraceWalk::Method method) : method_(method) {}

  void run(Session& session) override {
    MemoryBudget budget(session.options().limits.memory);
    TraceWalk walk(session, method_, budget);
    while (walk.go_on(1 << 20)) {
    }
    walk.conclude();
  }

 private:
  TraceWalk::Method method_;
};

const Registration<Search> optimal{{
    .name = "dpor",
    .summary = "one execution for each order of dependent steps",
    .paper = "Abdulla et al., POPL 2014, figure 7",
    .kind = {.complete = true, .runs = true, .reduces = true, .make = [](const ParamValues&) { return std::make_unique<Dpor>(TraceWalk::Method::kOptimal); }},
}};

const Registration<Search> source{{
    .name = "source-dpor",
    .summary = "as dpor, by source sets: simpler, and some executions are begun in vain",
    .paper = "Abdulla et al., POPL 2014, figure 4",
    .kind = {.complete = true, .runs = true, .reduces = true, .make = [](const ParamValues&) { return std::make_unique<Dpor>(TraceWalk::Method::kSource); }},
}};

}  // namespace
}  // namespace tarry
