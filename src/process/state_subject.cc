#include "process/state_subject.h"

#include <fmt/format.h>

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <string_view>
#include <utility>

#include "base/units.h"
#include "core/registry.h"
#include "core/usage.h"
#include "process/account.h"
#include "process/state_work.h"

namespace tarry::process {
namespace {

/// A step did not end in time, in code whose endless steps are proven: that it is slow is a limit of ours.
bool only_slow(const CrashRecord& record, const StateSubject& subject) {
  return record.cause == Cause::kTimeout && record.where != Where::kExplorer && record.function[0] == '\0' && subject.state_facts().proves_endless_steps;
}

/// The program did not come back: what it left on record is a finding.
std::variant<SearchResult, Diagnostic, OurFault> crashed(Shared& shared, const SearchPlan& plan, const StateSubject& subject) {
  const CrashRecord& record = shared.crash;
  SearchResult result;
  result.explorer = plan.explorer;
  if (only_slow(record, subject)) {
    subject.complete_crash(shared, StateSubject::Purpose::kSearch);
    result.outcome.stopped_by = StoppedBy::kLimit;
    result.outcome.limit = fmt::format("{} (--step-timeout)", account_of(shared, plan.step_timeout).message);
    return result;
  }
  result.outcome.stopped_by = StoppedBy::kFinding;
  const bool fits = record.length <= CrashRecord::kRoom;
  Finding finding;
  if (fits && !subject.complete_crash(shared, StateSubject::Purpose::kSearch)) result.outcome.notes.push_back("a replay cannot follow the schedule that led to the crash");
  else if (fits) finding.schedule = schedule_of(record);
  else result.outcome.notes.push_back(fmt::format("the schedule has {} choices, too many to be kept", with_separators(record.length)));
  const StepText text = account_of(shared, plan.step_timeout);
  finding.kind = record.where == Where::kExplorer ? FindingKind("explorer") : text.kind;
  finding.message = text.message;
  finding.location = text.location;
  finding.steps = count_steps(finding.schedule);
  result.findings.push_back(std::move(finding));
  return result;
}

/// The same as the child says it, if it did not come to that (state_work.cc).
void note_memory(const ChildEnd& end, Outcome& outcome) {
  if (end.over_memory == 0 || end.tables > end.over_memory / 2) return;
  if (std::none_of(outcome.notes.begin(), outcome.notes.end(), [](const std::string& note) { return note.starts_with("the process held"); })) outcome.notes.push_back(memory_note(end.over_memory, end.tables));
}

std::variant<SearchResult, Diagnostic, OurFault> interpret(Shared& shared, const ChildEnd& end, const SearchPlan& plan, const StateSubject& subject) {
  if (end.came_back) {
    auto result = read_search(end.said);
    if (auto* searched = std::get_if<SearchResult>(&result); searched != nullptr && searched->outcome.stopped_by == StoppedBy::kMemory) note_memory(end, searched->outcome);
    return result;
  }
  const bool called_off = shared.crash.complete && shared.crash.cause == Cause::kCalledOff;
  if (!called_off && shared.crash.complete && shared.crash.wrecked && shared.crash.where != Where::kTarry) return wrecked(shared);
  if (!called_off && shared.crash.complete && shared.crash.where != Where::kTarry) return crashed(shared, plan, subject);
  const bool killed = WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL;
  if (end.interrupted_by == 0 && !end.cut_off && (end.over_memory == 0 || !killed)) return vanished<std::variant<SearchResult, Diagnostic, OurFault>>(shared, end);
  SearchResult result;  // it was not waited for: the second Ctrl-C, or memory that grew on after it was told to end
  result.explorer = plan.explorer;
  result.outcome.stopped_by = end.interrupted_by != 0 ? StoppedBy::kInterrupt : end.cut_off ? StoppedBy::kTime : StoppedBy::kMemory;
  if (end.cut_off) result.outcome.notes.push_back(why_cut_off(shared));
  note_memory(end, result.outcome);
  return result;
}

std::vector<Choice> first_steps(const std::vector<Choice>& schedule, std::uint64_t steps) {
  std::uint64_t seen = 0;
  auto end = schedule.begin();
  while (end != schedule.end() && (end->kind != Choice::Kind::kProcess || ++seen <= steps)) ++end;
  return {schedule.begin(), end};
}

Supervision supervision_of(const RerunOptions& how) { return {.step_timeout = how.step_timeout, .tick = {}, .gives_up = true, .time = how.time}; }

/// The rerun was killed by us, if it was.
std::optional<GivenUp> given_up(const ChildEnd& end, const RerunOptions& how) {
  if (end.came_back) return std::nullopt;
  if (end.interrupted_by != 0) return GivenUp{"interrupted", end.interrupted_by};
  if (end.out_of_time) return GivenUp{fmt::format("it took longer than {}", duration_text(*how.time)), 0};
  return std::nullopt;
}

/// The step that did not come back: who took it, with which values.
ReplayedStep last_step(const Shared& shared, const std::vector<Choice>& schedule, std::uint64_t number, const std::vector<ReplayedStep>& before) {
  ReplayedStep step{.number = number, .process = {}, .process_name = "", .values = {}, .label = "", .switched = false, .preempted = false, .changes = {}};
  for (const Choice& choice : schedule) {
    if (choice.kind == Choice::Kind::kProcess) step.process = ProcessId{choice.number}, step.values.clear();
    else step.values.push_back(choice.number);
  }
  if (index(step.process) < shared.names.size()) step.process_name = shared.names[index(step.process)].data();
  for (const ReplayedStep& earlier : before)
    if (earlier.process == step.process) step.process_name = earlier.process_name;
  step.switched = !before.empty() && before.back().process != step.process;
  return step;
}

/// The program did not come back: what it had told by then, and the step that it was in.
Rerun crashed_again(const Shared& shared, const StateSubject& subject, const std::vector<Choice>& schedule, const std::string& said, std::chrono::milliseconds step_timeout) {
  Rerun out;
  out.ending = account_of(shared, step_timeout);
  out.crashed = true;
  out.steps = shared.crash.step;
  const bool ahead = out.steps > 0 && shared.crash.length > 0 && (out.steps == count_steps(schedule) + 1 || subject.facts().looks_ahead);
  out.schedule = first_steps(schedule, ahead ? out.steps - 1 : out.steps);
  if (ahead)
    for (const Choice& choice : schedule_of(shared.crash)) out.schedule.push_back(choice);
  if (out.steps == 0) return out;
  out.replay = read_replay_so_far(said);
  std::erase_if(out.replay.steps, [&](const ReplayedStep& step) { return step.number >= out.steps; });  // it may have crashed when it was told
  if (out.replay.fingerprints.size() >= out.steps) out.replay.fingerprints.resize(out.steps - 1);
  out.replay.steps.push_back(last_step(shared, out.schedule, out.steps, out.replay.steps));
  return out;
}

}  // namespace

std::optional<Diagnostic> settle_for_states(const TargetRequest& request) {
  if (request.engine.keep_going && (request.search != "random-walk" || !request.engine.limits.samples))
    return usage_error("--keep-going (--explore) is for random executions: say how many with -s, as in 'tarry check bank.pproj -s 10000 --keep-going'");
  if (Registry<Search>::find(request.search)->kind.reduces)
    return usage_error(fmt::format("search '{}' is for programs with threads, and '{}' is none; for models and P programs there are bfs and ses", request.search, request.target));
  if (!request.arguments.empty()) return usage_error(fmt::format("'{}' takes no arguments, but there are some after '--'", request.target));
  return std::nullopt;
}

std::optional<Diagnostic> settle_for_one_test(const TargetRequest& request) {
  if (request.test_prefix) return is_one_test("--testcase", request.target);
  return settle_for_states(request);
}

SearchEnd StateSubject::search(const SearchPlan& plan, const Tick& tick) const {
  SharedMemory shared;
  const Supervision how{.step_timeout = plan.step_timeout,
                        .tick = [&](double seconds) { if (tick) tick(shared->progress, seconds); },
                        .search_time = plan.engine.limits.time.value_or(std::chrono::hours(24 * 365)),
                        .memory = plan.engine.limits.memory};
  const ChildEnd end = supervise(*shared, how, [&] { return run_search(*shared, plan, *this); });
  auto result = interpret(*shared, end, plan, *this);
  if (auto* diagnostic = std::get_if<Diagnostic>(&result)) return *diagnostic;
  if (auto* fault = std::get_if<OurFault>(&result)) return *fault;
  auto& searched = std::get<SearchResult>(result);
  searched.outcome.notes.insert(searched.outcome.notes.begin(), state_facts_.notes.begin(), state_facts_.notes.end());
  return Searched{std::move(searched), {shared->progress.totals(), end.interrupted_by, end.peak_rss, end.seconds}};
}

RerunResult StateSubject::rerun(const Finding& finding, const std::vector<std::uint32_t>& expected, const RerunOptions& how) const {
  const std::vector<Choice>& schedule = finding.schedule;
  Telling telling = how.telling;
  telling.loop = finding.loop;
  telling.message = finding.message;
  SharedMemory memory;
  const ChildEnd end = supervise(*memory, supervision_of(how), [&](const Say& say) { return run_replay(*memory, *this, schedule, expected, telling, say); });
  if (auto why = given_up(end, how)) return std::move(*why);
  if (!end.came_back) {
    if (memory->crash.complete && memory->crash.wrecked && memory->crash.where != Where::kTarry) return wrecked(*memory);
    if (memory->crash.complete && memory->crash.where != Where::kTarry) {
      complete_crash(*memory, Purpose::kReplay);
      return crashed_again(*memory, *this, schedule, end.said, how.step_timeout);
    }
    return vanished<RerunResult>(*memory, end);
  }
  auto said = read_replay(end.said);
  if (auto* diagnostic = std::get_if<Diagnostic>(&said)) return *diagnostic;
  if (auto* fault = std::get_if<OurFault>(&said)) return *fault;
  Rerun out{.replay = std::move(std::get<Replay>(said)), .ending = {}, .steps = 0, .crashed = false, .schedule = schedule};
  out.ending = out.replay.ending;
  out.steps = out.replay.fingerprints.size();
  return out;
}

}  // namespace tarry::process
