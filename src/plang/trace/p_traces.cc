#include "plang/trace/p_traces.h"

#include <algorithm>
#include <utility>

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

PRecorder::PRecorder(const PProgram& program, const ScheduleFile& header) : log_(program), file_(header) {
  file_.steps.assign(1, {ScheduleStep::Kind::kDecision, 0, 0});  // the root creates the main machine
  log_.add_start(start_of_monitors(program));
}

void PRecorder::add(const FollowedStep& step) {
  log_.add(step);
  add_steps(step, file_.steps);
  steps_ += step.steps;
}

std::string PRecorder::record() {
  PJson records = PJson::array();
  for (const PRecord& record : log_.records()) records.push_back({record.tag, record.type, record.words, record.details});
  const PJson out{{"records", std::move(records)}, {"schedule", schedule_text(file_)}, {"steps", steps_}};
  return out.dump(-1, ' ', false, PJson::error_handler_t::replace);
}

PTraces p_traces(const std::string& record, const StepText& ending, const std::string& strategy) {
  const PJson recorded = PJson::parse(record);
  std::vector<PRecord> records;
  for (const PJson& item : recorded.at("records")) records.push_back({item.at(0), item.at(1), item.at(2), item.at(3)});
  for (PRecord& last : end_records(ending, strategy, recorded.at("steps"))) records.push_back(std::move(last));
  return {p_text(records), p_json(records), recorded.at("schedule"), ""};
}

PTraces p_traces(const PProgram& program, const Finding& finding, const std::string& strategy, const ScheduleFile& header) {
  PRecorder recorder(program, header);
  const FollowedRun run = follow(program, finding.schedule, [&](const FollowedStep& step) { recorder.add(step); });
  StepText ending = run.ending;
  if (ending.kind.empty()) {  // what adds up over an execution is no part of a step
    ending.kind = finding.kind;
    ending.message = finding.message;
    ending.location = finding.location;
  }
  PTraces out = p_traces(recorder.record(), ending, strategy);
  if (!run.complete && run.ending.kind.empty()) out.problem = run.problem;
  return out;
}

}  // namespace tarry::plang
