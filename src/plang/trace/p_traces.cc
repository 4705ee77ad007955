#include "plang/trace/p_traces.h"

#include <algorithm>

#include "plang/vm/follow.h"

namespace tarry::plang {
namespace {

/// The decisions and choices of P in one step of ours. Each step starts with a decision, unless it goes on at a data choice; the
/// points that were passed over inside are decisions for the same machine.
void add_steps(const FollowedStep& step, std::vector<ScheduleStep>& out) {
  using Kind = ScheduleStep::Kind;
  const auto inside = std::count_if(step.log.begin(), step.log.end(),
                                    [](const LogEntry& e) { return e.act == Act::kPoint || e.act == Act::kChoose; });
  const ScheduleStep decision{Kind::kDecision, step.slot + 1, 0};
  if (step.steps > static_cast<std::uint64_t>(inside)) out.push_back(decision);
  for (const LogEntry& e : step.log) {
    if (e.act == Act::kPoint) out.push_back(decision);
    if (e.act == Act::kChoose) out.push_back({e.flag ? Kind::kBoolean : Kind::kInteger, std::stoull(e.text), 0});
  }
}

}  // namespace

PTraces p_traces(const PProgram& program, const Finding& finding, const std::string& strategy, const ScheduleFile& header) {
  PLog log(program);
  ScheduleFile file = header;
  file.steps.assign(1, {ScheduleStep::Kind::kDecision, 0, 0});  // the root creates the main machine
  const FollowedRun run = follow(
      program, finding.schedule,
      [&](const FollowedStep& step) {
        log.add(step);
        add_steps(step, file.steps);
      },
      [&](const std::vector<LogEntry>& started) { log.add_start(started); });
  StepText ending = run.ending;
  if (ending.kind.empty()) {  // what adds up over an execution is no part of a step
    ending.kind = finding.kind;
    ending.message = finding.message;
    ending.location = finding.location;
  }
  log.add_end(ending, strategy, run.steps);
  return {p_text(log), p_json(log), schedule_text(file), run.complete || !run.ending.kind.empty() ? "" : run.problem};
}

}  // namespace tarry::plang
