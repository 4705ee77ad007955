#include "cli/rerun.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

namespace tarry::cli {
namespace {

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

/// "in a step of philosopher 0".
std::string place(const Shared& shared) {
  switch (shared.crash.where) {
    case Where::kLoading: return "while it was loaded";
    case Where::kStarting: return "before its first step";
    case Where::kOutsideStep: return "outside its steps, when it was asked for names, labels or fields";
    case Where::kExplorer: return "when it was asked where to go";
    default: break;
  }
  const std::uint32_t running = shared.crash.running;
  if (running == 0 || running > abi::kMaxProcesses) return "in a step";
  const std::string name = shared.names[running - 1].data();
  return "in a step of " + (name.empty() ? fmt::format("process {}", running - 1) : name);
}

std::string message_of(const Shared& shared, const std::string& at, std::chrono::milliseconds step_timeout) {
  const CrashRecord& record = shared.crash;
  std::string who = record.where == Where::kExplorer ? "the explorer" : "the program";
  if (record.function[0] != '\0') who = fmt::format("foreign function '{}'", record.function);
  switch (record.cause) {
    case Cause::kStackOverflow: return fmt::format("{} overflowed its stack {}", who, at);
    case Cause::kAssert: return fmt::format("assertion '{}' failed {}", record.text, at);
    case Cause::kExit: return fmt::format("{} called exit({}) {}", who, record.number, at);
    case Cause::kQuickExit: return fmt::format("{} called quick_exit {}", who, at);
    case Cause::kTimeout:
      if (record.function[0] == '\0' && at.starts_with("in a step of ")) return fmt::format("one step of {} did not end within {}", at.substr(13), duration_text(step_timeout));
      return fmt::format("{} did not come back within {} {}", who, duration_text(step_timeout), at);
    case Cause::kSignal: break;
  }
  // Other addresses differ from run to run.
  const std::string address = record.address < 65'536 ? fmt::format(" at address {:#x}", record.address) : "";
  return fmt::format("{} crashed with {}{} {}", who, signal_name(record.number), address, at);
}

/// The same place, seen from two folders? The files are known to be the same.
bool same_place(std::string_view a, std::string_view b) {
  for (std::string_view* text : {&a, &b})
    while (text->starts_with("../") || text->starts_with("./")) text->remove_prefix(text->find('/') + 1);
  if (a.size() < b.size()) std::swap(a, b);
  return a == b || (!b.empty() && a.ends_with(b) && (b.starts_with('/') || a[a.size() - b.size() - 1] == '/'));
}

std::vector<Choice> first_steps(const std::vector<Choice>& schedule, std::uint64_t steps) {
  std::uint64_t seen = 0;
  auto end = schedule.begin();
  while (end != schedule.end() && (end->kind != Choice::Kind::kProcess || ++seen <= steps)) ++end;
  return {schedule.begin(), end};
}

/// The program did not come back: tells the steps up to there in another child.
RerunResult crashed(const Shared& shared, const Subject& subject, const std::vector<Choice>& schedule,
                    const std::vector<std::uint32_t>& expected, std::chrono::milliseconds step_timeout) {
  Rerun out;
  out.ending = account_of(shared, step_timeout);
  out.crashed = true;
  out.steps = shared.crash.step;
  const bool ahead = out.steps > 0 && shared.crash.length > 0 && (out.steps == count_steps(schedule) + 1 || subject.looks_ahead());
  out.schedule = first_steps(schedule, ahead ? out.steps - 1 : out.steps);
  if (ahead)
    for (const Choice& choice : schedule_of(shared.crash)) out.schedule.push_back(choice);
  if (out.steps == 0) return out;
  SharedMemory memory;
  const ChildEnd end = supervise(*memory, {step_timeout, {}}, [&] { return run_replay(*memory, subject, out.schedule, expected, Upto::kLastStep); });
  if (!end.came_back) return out;
  auto told = read_replay(end.said);
  if (auto* replay = std::get_if<Replay>(&told)) out.replay = std::move(*replay);
  return out;
}

}  // namespace

StepText account_of(const Shared& shared, std::chrono::milliseconds step_timeout) {
  const CrashRecord& record = shared.crash;
  StepText out;
  out.kind = record.cause == Cause::kTimeout ? "nontermination" : record.cause == Cause::kAssert ? "assertion" : "crash";
  out.message = message_of(shared, place(shared), step_timeout);
  if (record.cause == Cause::kAssert) out.location = fmt::format("{}:{}", record.file, record.line);
  return out;
}

OurFault vanished(const Shared& shared, const ChildEnd& end) {
  if (shared.crash.complete && shared.crash.cause == Cause::kSignal)
    return {fmt::format("the search itself crashed with {}", signal_name(shared.crash.number))};
  if (WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL)
    return {"the search was killed with SIGKILL, probably because the machine ran out of memory; give it less with --memory"};
  if (WIFSIGNALED(end.status)) return {fmt::format("the search was killed with {}", signal_name(WTERMSIG(end.status)))};
  return {fmt::format("the search ended with exit code {} and without a result", WEXITSTATUS(end.status))};
}

RerunResult rerun(const Subject& subject, const std::vector<Choice>& schedule, const std::vector<std::uint32_t>& expected,
                  std::chrono::milliseconds step_timeout) {
  SharedMemory memory;
  const ChildEnd end = supervise(*memory, {step_timeout, {}}, [&] { return run_replay(*memory, subject, schedule, expected, Upto::kEnd); });
  if (!end.came_back) {
    if (memory->crash.complete && memory->crash.where != Where::kTarry) {
      subject.complete_crash(*memory, Subject::Purpose::kReplay);
      return crashed(*memory, subject, schedule, expected, step_timeout);
    }
    return vanished(*memory, end);
  }
  auto said = read_replay(end.said);
  if (auto* diagnostic = std::get_if<Diagnostic>(&said)) return *diagnostic;
  if (auto* fault = std::get_if<OurFault>(&said)) return *fault;
  Rerun out{.replay = std::move(std::get<Replay>(said)), .ending = {}, .steps = 0, .crashed = false, .schedule = schedule};
  out.ending = out.replay.ending;
  out.steps = out.replay.fingerprints.size();
  return out;
}

bool shows(const Rerun& rerun, const Finding& finding) {
  return !rerun.replay.diverged_at && rerun.ending.kind == finding.kind && rerun.ending.message == finding.message &&
         same_place(rerun.ending.location, finding.location) && rerun.steps == finding.steps;
}

}  // namespace tarry::cli
