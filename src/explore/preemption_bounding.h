// Preemption bounding as a discipline: the running process goes on for free; taking the turn from it costs one.
//
// Under fair scheduling the survey holds only processes that may be scheduled: one that was put behind another is not there, so a switch
// that is forced by fairness is no preemption (Musuvathi, Qadeer, PLDI 2008, section 4).
#pragma once

#include "explore/discipline.h"

namespace tarry {

/// Memo: the process that runs, plus one; 0 where a switch is free (at the start, and after a yield).
class PreemptionBounding final : public Discipline {
 public:
  Bound unit() const override { return "preemptions"; }
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
  std::uint32_t pass(std::uint32_t running, const Survey&, ProcessId) override { return running; }
  std::uint32_t step(std::uint32_t, const Step& step) override { return step.yielded ? 0 : index(step.process) + 1; }

 private:
  static bool goes_on(std::uint32_t running, const Survey& survey) { return running != 0 && survey.open().contains(ProcessId{running - 1}); }
};

}  // namespace tarry
