// Nested depth-first search for cycles that violate a liveness property (explore/liveness/nested.h; several workers:
// explore/liveness/parallel_nested.h): the baseline of the iterative searches.
//
// Works without fairness, or with weak fairness by copies. Data choices may go against the program. The explorer decides the
// order in which processes are tried; with several workers, in which the first one tries them.
//
// Papers: Holzmann, Peled, Yannakakis, SPIN 1996; the baseline of Desai, Qadeer, Rajamani, MSR-TR-2015-28, table 3; with several
// workers Evangelista, Laarman, Petrucci, van de Pol, ATVA 2012.
#include "core/registry.h"
#include "explore/liveness/walk_nested.h"

namespace tarry {
namespace {

class Ndfs final : public Search {
 public:
  void run(Session& session) override {
    walk_nested(session, "", [](const RunNested& run) { run(~std::uint64_t{0} >> 1); });
  }
};

const Registration<Search> entry{{
    .name = "ndfs",
    .summary = "liveness without fairness or with weak fairness: nested depth-first search",
    .paper = "Holzmann, Peled, Yannakakis, SPIN 1996",
    .kind = {.takes_explorer = true, .decides_liveness = true, .complete = true, .limits = {"fairness"}, .make = [](const ParamValues&) { return std::make_unique<Ndfs>(); }},
}};

}  // namespace
}  // namespace tarry
