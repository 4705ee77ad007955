#include "plang/vm/follow.h"

#include <fmt/format.h>

#include "plang/vm/space.h"

namespace tarry::plang {

std::vector<LogEntry> start_of_monitors(const PProgram& program) {
  PSpace space(program.world(), program.layout());
  std::vector<LogEntry> log;
  for (std::uint32_t m = 0; m < program.layout().monitors(); ++m) space.vm().start_monitor(m, &log);
  return log;
}

FollowedRun follow(const PProgram& program, const std::vector<Choice>& schedule, const std::function<void(const FollowedStep&)>& each,
                   const std::function<void(const std::vector<LogEntry>&)>& started) {
  FollowedRun run;
  PSpace space(program.world(), program.layout());
  const auto narrator = program.narrator();
  std::vector<Word> state(program.layout().words()), next(program.layout().words());
  if (started) started(start_of_monitors(program));
  run.steps = 1;  // the root creates the main machine
  run.ending = space.initial(state.data());
  if (!run.ending.kind.empty()) return run;
  for (std::size_t i = 0; i < schedule.size();) {
    if (!run.ending.kind.empty()) {
      run.problem = fmt::format("the execution fails after {} steps, before the schedule ends", run.steps);
      return run;
    }
    FollowedStep step;
    step.slot = schedule[i].number;
    for (++i; i < schedule.size() && schedule[i].kind == Choice::Kind::kValue; ++i) step.values.push_back(schedule[i].number);
    const PSpace::MachineWords m = space.machine(state, step.slot);
    const std::uint32_t only = state[program.layout().exclusive()];
    if (!space.can_run(m.config, m.inbox) || (only != 0 && only != step.slot + 1)) {
      run.problem = fmt::format("machine {} cannot run after {} steps", step.slot + 1, run.steps);
      return run;
    }
    StepResult result;
    const auto applied = space.step_with_log(state, m, step.values, Vm::Missing::kAsk, result, next.data(), step.log);
    if (result.end == StepResult::End::kNeedsValue || result.values.size() != step.values.size()) {
      run.problem = fmt::format("machine {} makes another number of choices than the schedule has, after {} steps", step.slot + 1, run.steps);
      return run;
    }
    if (applied.failed) step.ending = narrator->explain(state, ProcessId{step.slot}, step.values);
    step.steps = applied.steps;
    run.steps += applied.steps;
    run.ending = step.ending;
    state = next;
    each(step);
  }
  run.complete = true;
  if (!run.ending.kind.empty()) return run;
  Survey survey(program.shape().processes);
  space.survey(state, survey);
  run.terminated = survey.open().empty();
  if (survey.deadlock()) run.ending = {.label = "", .kind = "deadlock", .message = deadlock_message(survey, *narrator), .location = ""};
  return run;
}

}  // namespace tarry::plang
