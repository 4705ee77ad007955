// Iterative preemption bounding: all executions without a preemption, then with one, and so on.
//
// A preemption takes the turn from a process that could go on and did not yield. Most bugs of thread programs need few.
//
// Paper: Musuvathi, Qadeer. Iterative Context Bounding, PLDI 2007; with a cache as in Desai, Qadeer, Seshia, FSE 2015, 6.1.
#include "core/registry.h"
#include "explore/stratified.h"

namespace tarry {
namespace {

/// Memo: the process that runs, plus one; 0 where a switch is free (at the start, and after a yield).
class PreemptionBounding final : public Discipline {
 public:
  std::string unit() const override { return "preemptions"; }
  std::uint32_t initial(const Survey&) override { return 0; }

  ProcessId pick(std::uint32_t running, const Survey& survey, std::uint32_t turn) override {
    if (survey.sealed()) return survey.owner();
    if (!goes_on(running, survey)) return survey.open().at(turn);
    const ProcessId first{running - 1};
    if (turn == 0) return first;
    const ProcessId other = survey.open().at(turn - 1);
    return index(other) < index(first) ? other : survey.open().at(turn);
  }
  std::uint32_t price(std::uint32_t running, const Survey& survey, std::uint32_t turn) override {
    return turn == 0 && goes_on(running, survey) ? 1 : 0;
  }
  std::uint32_t pass(std::uint32_t running, const Survey&) override { return running; }
  std::uint32_t step(std::uint32_t, const Step& step) override { return step.yielded ? 0 : index(step.process) + 1; }

 private:
  static bool goes_on(std::uint32_t running, const Survey& survey) { return running != 0 && survey.open().contains(ProcessId{running - 1}); }
};

class PreemptionBounded final : public Search {
 public:
  void run(Session& session) override {
    MemoryBudget budget(session.options().limits.memory);
    Interner surveys(budget);
    PreemptionBounding preemptions;
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
