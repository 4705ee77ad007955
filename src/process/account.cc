#include "process/account.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>

#include "base/signal_name.h"
#include "base/units.h"
#include "core/usage.h"
#include "process/inherited_limits.h"
#include "trace/exchange.h"

namespace tarry::process {
namespace {

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
  if (running == 0 || running > shared.names.size()) return "in a step";
  const std::string name = shared.names[running - 1].data();
  return "in a step of " + (name.empty() ? fmt::format("process {}", running - 1) : name);
}

std::string message_of(const Shared& shared, const std::string& at, std::chrono::milliseconds step_timeout) {
  const CrashRecord& record = shared.crash;
  std::string who = record.where == Where::kExplorer ? fmt::format("explorer '{}'", shared.explorer.data()) : "the program";
  if (record.function[0] != '\0') who = fmt::format("foreign function '{}'", record.function);
  switch (record.cause) {
    case Cause::kStackOverflow: return fmt::format("{} overflowed its stack {}", who, at);
    case Cause::kAssert: return fmt::format("{}assertion '{}' failed {}", record.where == Where::kExplorer ? who + ": " : "", record.text, at);
    case Cause::kExit: return fmt::format("{} called exit({}) {}", who, record.number, at);
    case Cause::kFork: return fmt::format("{} called {}() {}: a step must not start processes, because the copy would go on with the search, too", who, record.text, at);
    case Cause::kExec: return fmt::format("{} called {}() {}: a step must not replace its process by another program, because the search would be gone", who, record.text, at);
    case Cause::kQuickExit: return fmt::format("{} called quick_exit {}", who, at);
    case Cause::kTimeout:
      if (record.function[0] == '\0' && at.starts_with("in a step of ")) return fmt::format("one step of {} did not end within {}", at.substr(13), duration_text(step_timeout));
      return fmt::format("{} did not come back within {} {}", who, duration_text(step_timeout), at);
    case Cause::kCalledOff:
    case Cause::kSentSignal:
    case Cause::kSignal: break;
  }
  // Other addresses differ from run to run.
  const std::string address = record.address < 65'536 ? fmt::format(" at address {:#x}", record.address) : "";
  return fmt::format("{} crashed with {}{} {}", who, signal_name(record.number), address, at);
}

FindingKind kind_of(Cause cause) {
  switch (cause) {
    case Cause::kTimeout: return "nontermination";
    case Cause::kAssert: return "assertion";
    case Cause::kFork:
    case Cause::kExec: return "misuse";
    default: return "crash";
  }
}

}  // namespace

StepText account_of(const Shared& shared, std::chrono::milliseconds step_timeout) {
  const CrashRecord& record = shared.crash;
  StepText out;
  out.kind = kind_of(record.cause);
  out.message = exchanged(message_of(shared, place(shared), step_timeout));
  if (record.cause == Cause::kAssert) out.location = fmt::format("{}:{}", record.file, record.line);
  return out;
}

std::string why_cut_off(const Shared& shared) {
  if (!shared.crash.complete) return "the search did not come to its end in time, and was cut off";
  switch (shared.crash.where) {
    case Where::kExplorer: return fmt::format("explorer '{}' did not come back before the search had to end", shared.explorer.data());
    case Where::kLoading: return "loading the program, or a first look at its steps, did not come back before the search had to end";
    case Where::kStarting: return "the program did not come to its first step before the search had to end";
    default: return "a step did not come back before the search had to end";
  }
}

Diagnostic wrecked(const Shared& shared) {
  if (shared.crash.cause == Cause::kSentSignal)
    return {fmt::format("tarry: error: the program sent {0} to its own process with kill(), in a step or in a check: which one is not known. With raise({0}) it would be told as a crash of that step", signal_name(shared.crash.number))};
  return {fmt::format("tarry: error: the program crashed with {} after it had overwritten the stack, and with it what the search knew of the way there: no schedule can be told. "
                      "Something writes far beyond the end of a local array, in a step or in a check; a compiler's -fsanitize=address names the line", signal_name(shared.crash.number))};
}

std::string memory_note(std::uint64_t held, std::uint64_t tables) {
  return fmt::format("the process held {}, of which the search's tables are {}: the program takes memory that it does not give back; does a step allocate?", size_text(held), size_text(tables));
}

namespace {

/// Crashes, ours too, leave a record before they end the process. One that did not was kept from it by the program; other signals come from outside.
Diagnostic killed(int signal) {
  const std::string name = signal_name(signal);
  for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    if (signal == crash)
      return {fmt::format("tarry: error: the program crashed with {0} after it had changed how {0} is handled (signal, sigaction, sigprocmask, sigaltstack): which step it was is not known; no verdict. "
                          "Without that change the crash would be told with its step", name)};
  return {fmt::format("tarry: error: the search was killed with {}: the program or another process sent the signal; no verdict", name)};
}

}  // namespace

std::variant<Diagnostic, OurFault> why_vanished(const Shared& shared, const ChildEnd& end) {
  if (shared.crash.complete && shared.crash.cause == Cause::kSignal)
    return OurFault{fmt::format("the search itself crashed with {}", signal_name(shared.crash.number))};
  if (const auto limit = limit_behind_death(end.status, end.processor_seconds))
    return Diagnostic{fmt::format("tarry: error: the search was killed with {}: {}; no verdict", signal_name(WTERMSIG(end.status)), *limit)};
  if (WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL)
    return Diagnostic{"tarry: error: the search was killed with SIGKILL: the machine ran out of memory (give the search less with --memory), or the program or another process sent the signal; no verdict"};
  if (WIFSIGNALED(end.status)) return killed(WTERMSIG(end.status));
  return OurFault{fmt::format("the search ended with exit code {} and without a result", WEXITSTATUS(end.status))};
}

}  // namespace tarry::process
