#include "native/driver/tell.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <sstream>
#include <tuple>

#include "base/signal_name.h"
#include "native/driver/google_test.h"
#include "native/driver/suppressions.h"
#include "process/inherited_limits.h"
#include "trace/exchange.h"

namespace tarry::native {
namespace {

std::uint64_t count_steps(const std::vector<Choice>& schedule) {
  return static_cast<std::uint64_t>(std::count_if(schedule.begin(), schedule.end(), [](const Choice& choice) { return choice.kind == Choice::Kind::kProcess; }));
}

/// Names for what the steps work on. Different objects of one name, such as locals of a function that several threads execute, are numbered.
class Objects {
 public:
  explicit Objects(Symbols& symbols) : symbols_(symbols) {}
  std::string name(const RecordedObject& object) {
    if (!object.allocated.empty()) return block_name(object);
    if (!object.name.empty()) return object.name + plus(object.offset);
    if (object.address == 0) return "";
    if (std::string name = symbols_.variable(object.variable); !name.empty()) return name;
    if (object.variable.offset != 0) return fmt::format("address {:#x}", object.address);
    if (const std::string& name = local_name(object); !name.empty()) {
      const std::size_t number = number_of(name, object.address);
      return number == 1 ? name : fmt::format("{} ({})", name, number);
    }
    return fmt::format("local {}", number_of("", object.address));
  }

 private:
  static std::string plus(std::uint64_t offset) { return offset == 0 ? "" : fmt::format(" +{}", offset); }

  /// Looking one up takes a millisecond, and executions that never end have ten thousand steps.
  const std::string& local_name(const RecordedObject& object) {
    const auto [at, is_new] = locals_.try_emplace({object.frame.module, object.frame.offset, object.frame_to, object.address});
    if (is_new) at->second = symbols_.local(object);
    return at->second;
  }

  /// Of memory by where it was allocated.
  std::string block_name(const RecordedObject& object) {
    SourceFrame by = symbols_.shown(object.allocated);
    by.file = std::filesystem::path(by.file).filename();
    const std::string location = by.location();
    if (location.empty()) return object.name + plus(object.offset);
    return fmt::format("block {} of {}{}", number_of("block " + location, object.address - object.offset), location, plus(object.offset));
  }

  std::size_t number_of(const std::string& name, std::uint64_t address) {
    auto& known = numbers_[name];
    return known.emplace(address, known.size() + 1).first->second;
  }

  Symbols& symbols_;
  std::map<std::string, std::map<std::uint64_t, std::size_t>> numbers_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t>, std::string> locals_;  // by place and frame of the function, and address
};

/// The text of a failure in more words, as far as a recorded execution has them. `objects` has named those of the steps before.
std::string told_message(const RawFinding& raw, Objects& objects, Symbols& symbols) {
  if (raw.told.empty()) return symbols.filled_in(raw.finding.message, raw.places);
  std::string text;
  for (std::size_t at = 0; at < raw.told.size(); ++at) {
    const std::size_t number = at + 2 < raw.told.size() && raw.told[at] == '{' && raw.told[at + 2] == '}' && raw.told[at + 1] >= 'a' ? static_cast<std::size_t>(raw.told[at + 1] - 'a') : raw.objects.size();
    if (number >= raw.objects.size()) {
      text += raw.told[at];
      continue;
    }
    text += objects.name(raw.objects[number]);
    at += 2;
  }
  return symbols.filled_in(text, raw.places, raw.stacks);
}

/// The last lines of what the program wrote, for messages.
std::string tail(const std::string& output) {
  std::size_t start = output.size();
  for (int lines = 0; start > 0 && lines < 12; ++lines) start = output.rfind('\n', start - 1) == std::string::npos ? 0 : output.rfind('\n', start - 1);
  std::string text = output.substr(start);
  while (text.starts_with('\n')) text.erase(0, 1);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

/// "in a step of thread 2" or "before its main function".
std::string place(const WorkerEnd& end) {
  if (end.phase == Phase::kStarting) return "before its main function";
  return end.running == 0 ? "in a step" : "in a step of " + thread_name(end.running - 1);
}

template <class T>
void add_once(std::vector<T>& to, const std::vector<T>& from) {
  for (const T& one : from)
    if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
}

std::string words_of(const Finding& finding) { return fmt::format("{}\n{}\n{}", finding.kind.name(), finding.message, finding.location); }

/// What makes two findings one. Races: the two lines, in any order, whatever they race for. One bug of the program has many addresses.
std::string essence(const RawFinding& raw, const Finding& finding, Symbols& symbols) {
  if (finding.kind != "data-race" || raw.places.size() < 2) return words_of(finding);
  std::string a = symbols.shown({raw.places[0]}).location(), b = symbols.shown({raw.places[1]}).location();
  if (a.empty() || b.empty()) return words_of(finding);
  if (b < a) std::swap(a, b);
  return fmt::format("{}\n{}\n{}", finding.kind.name(), a, b);
}

/// Findings of all workers, equal ones once.
class FoundOnce {
 public:
  void add(Finding finding, const std::string& essence) {
    const auto same = all_.begin() + (std::find(known_.begin(), known_.end(), essence) - known_.begin());
    if (same == all_.end()) {
      all_.push_back(std::move(finding));
      known_.push_back(essence);
      return;
    }
    const std::uint64_t count = same->count + finding.count;
    if (finding.steps < same->steps) *same = std::move(finding);
    same->count = count;
  }
  std::vector<Finding> all() && { return std::move(all_); }

 private:
  std::vector<Finding> all_;
  std::vector<std::string> known_;  // the essence of each
};

/// Libraries that were not instrumented, the system's own left out: what they do is known from the calls that the runtime takes over.
void note_modules(const std::vector<Module>& modules, const std::filesystem::path& executable, std::vector<std::string>& notes) {
  std::vector<std::string> without;
  bool instrumented = false, cxx = false, told_cxx = false;
  for (const Module& module : modules) {
    const std::string_view path = module.path;
    told_cxx |= path.ends_with("/libtarry_cxx.so");
    cxx |= path.find("/libstdc++.so") != std::string_view::npos;
    instrumented |= module.instrumented;
    const bool systems = path.starts_with("/lib/") || path.starts_with("/lib64/") || path.starts_with("/usr/lib/") || path.ends_with("/libtarry_rt.so") || path.ends_with("/libtarry_cxx.so") || path.find("vdso") != std::string_view::npos;
    std::error_code gone;
    const bool itself = path == executable.string() || std::filesystem::equivalent(path, executable, gone);  // './test' has another path in the process
    if (!module.instrumented && !systems && !path.empty() && !itself) without.push_back(std::filesystem::path(path).filename().string());
  }
  if (instrumented && cxx && !told_cxx)
    add_once(notes, {"the standard library of C++ came with a library that the program loaded while it ran: what it does to strings, streams, lists and trees goes unseen; link the program with it (-lstdc++)"});
  if (without.empty()) return;
  add_once(notes, {fmt::format("not instrumented, so checked at synchronisation calls only, and its data races go unseen: {}; build it with 'tarry cc' or 'tarry c++'", fmt::join(without, ", "))});
}

bool is_suppressed(const RawFinding& raw, Symbols& symbols, const std::vector<std::string>& suppressions) {
  if (raw.finding.kind != "data-race") return false;
  std::vector<Place> places = raw.places;
  places.insert(places.end(), raw.stack.begin(), raw.stack.end());
  if (raw.place.offset != 0) places.push_back(raw.place);
  for (const Place& place : places)
    for (const SourceFrame& frame : symbols.frames(place))
      for (const std::string& suppression : suppressions)
        if (frame.function.find(suppression) != std::string::npos || frame.location().find(suppression) != std::string::npos) return true;
  return false;
}

/// Of several failures that a replay showed (races on the way, then something worse) the one that is wanted, in the words of a search or of a
/// trace; else the first.
std::optional<RawFinding> shown_failure(const Answer& answer, const Finding& wanted, Objects& objects, Symbols& symbols) {
  const std::vector<RawFinding> all = answer.raw_findings();
  if (all.empty()) return std::nullopt;
  const auto found = std::find_if(all.begin(), all.end(), [&](const RawFinding& raw) {
    return raw.finding.kind == wanted.kind && (symbols.filled_in(raw.finding.message, raw.places) == wanted.message || told_message(raw, objects, symbols) == wanted.message);
  });
  return found == all.end() ? all.front() : *found;
}

}  // namespace

std::string thread_name(std::uint32_t number, const std::string& given) {
  if (!given.empty()) return given;
  return number == 0 ? "main" : fmt::format("thread {}", number);
}

std::vector<Module> modules_of(const Answer& answer, const std::filesystem::path& executable) {
  std::vector<Module> out = answer.modules;
  for (Module& module : out)
    if (module.path.empty()) {
      module.path = executable;
      break;
    }
  return out;
}

namespace {
/// As traces have them.
std::vector<std::string> shown(const std::vector<Place>& points) {
  std::vector<std::string> out;
  for (const Place& point : points) out.push_back(fmt::format("{}:{:x}", point.module, point.offset));
  return out;
}
}  // namespace

Finding finding_of(const RawFinding& raw, Symbols& symbols) {
  Finding out = raw.finding;
  out.failure = FailureId::kNone;  // from here on it is told in words
  out.message = symbols.filled_in(out.message, raw.places);
  out.points = shown(raw.points);
  if (!out.location.empty()) return out;
  Stack whole;
  if (raw.place.offset != 0) whole.push_back(raw.place);
  whole.insert(whole.end(), raw.stack.begin(), raw.stack.end());
  out.location = symbols.shown(whole).location();
  return out;
}

Replay replay_of(const Answer& answer, const Finding& wanted, const std::vector<std::uint32_t>& expected, Symbols& symbols, RawFinding* shown) {
  Replay out;
  const auto name = [&](std::uint32_t thread) { return thread_name(thread, thread < answer.threads.size() ? answer.threads[thread].name : ""); };
  Objects objects(symbols);
  const bool google_test = runs_google_test(answer);
  for (const RecordedStep& step : answer.steps) {
    const std::string object = objects.name(step.object);
    const bool switched = !out.steps.empty() && out.steps.back().process != ProcessId{step.thread};
    ReplayedStep told{.number = out.steps.size() + 1,
                      .process = ProcessId{step.thread},
                      .process_name = name(step.thread),
                      .values = step.values,
                      .label = object.empty() ? step.operation : step.operation + " " + object,
                      .switched = switched,
                      .preempted = step.preempted,
                      .changes = {}};
    if (!step.detail.empty()) told.changes.emplace_back(object, symbols.filled_in(step.detail, {}));
    told.location = symbols.shown(step.stack).location();
    told.output = step.output;
    if (google_test) {
      told.frameworks = is_google_tests(step, symbols);
      told.short_output = without_banner(step.output);
    }
    out.steps.push_back(std::move(told));
  }
  for (std::uint32_t i = 0; i < answer.threads.size(); ++i) {
    const RecordedThread& thread = answer.threads[i];
    const std::string object = objects.name(thread.object);
    const std::string state = symbols.filled_in(thread.state, thread.places) + (object.empty() ? "" : ": " + object);
    out.threads.push_back({name(i), state, symbols.lines(thread.stack)});
  }
  out.fingerprints = answer.fingerprints;
  if (const auto last = shown_failure(answer, wanted, objects, symbols)) {
    const Finding finding = finding_of(*last, symbols);
    if (shown != nullptr) *shown = *last;
    out.ending.kind = finding.kind;
    out.ending.message = told_message(*last, objects, symbols);
    out.in_search = finding.message;
    out.ending.location = finding.location;
    const auto expectation = google_test && finding.kind == "assertion" && finding.location.empty() ? failed_expectation(answer) : std::nullopt;
    if (expectation) {  // it was known by its exit code only
      out.ending.message = expectation->text.empty() ? "an expectation failed" : expectation->text;
      out.ending.location = expectation->location;
    }
    if (finding.kind != "deadlock") out.stack = symbols.lines(last->stack);  // then it is among the threads
  }
  if (answer.diverged_at != 0) {
    out.diverged_at = answer.diverged_at;
    out.divergence = answer.divergence.empty() ? "the schedule cannot be followed here" : answer.divergence;
  }
  for (std::size_t i = 0; i < std::min(expected.size(), out.fingerprints.size()); ++i) {
    if (expected[i] == out.fingerprints[i] || (out.diverged_at && *out.diverged_at <= i + 1)) continue;
    out.diverged_at = i + 1;
    out.divergence = i < out.steps.size() ? fmt::format("another operation than recorded: {} does '{}'", out.steps[i].process_name, out.steps[i].label) : "another operation than recorded";
    break;
  }
  return out;
}

std::variant<Finding, Diagnostic, OurFault> account_of(const WorkerEnd& end, const Circumstances& tested) {
  const auto& [executable, step_timeout, unseen] = tested;
  Finding finding{.kind = "crash", .message = "", .location = "", .schedule = end.schedule, .steps = count_steps(end.schedule)};
  finding.points = shown(end.points);
  const bool started = end.phase != Phase::kStarting;
  const std::string said = tail(end.output).empty() ? "" : "; it wrote:\n" + tail(end.output);
  switch (end.death) {
    case Death::kOurs:
      if (end.death_text == kNoSharedRoom)
        if (const auto limit = process::limit_behind(EFBIG)) return Diagnostic{fmt::format("tarry: error: {}: {}", kNoSharedRoom, *limit)};
      return OurFault{fmt::format("the runtime in the tested program failed, or the program has destroyed its memory: {}", end.death_text.empty() ? "no more is known" : end.death_text)};
    case Death::kHang:
      if (end.slept) {
        finding.kind = kLimitKind;
        finding.message = fmt::format("the program waited in the kernel for {:g} s {}, in a call that Tarry does not control", 2 * static_cast<double>(step_timeout.count()) / 1000, place(end));
        return finding;
      }
      if (started && !unseen.empty()) {
        finding.kind = kLimitKind;
        finding.message = fmt::format("one step of {} did not end within {:g} s; it may wait for another thread in code that Tarry does not see ({})", end.running != 0 ? thread_name(end.running - 1) : "the program", static_cast<double>(step_timeout.count()) / 1000, unseen);
        return finding;
      }
      finding.kind = "nontermination";
      if (started && end.running != 0) finding.message = fmt::format("one step of {} did not end within {:g} s", thread_name(end.running - 1), static_cast<double>(step_timeout.count()) / 1000);
      else finding.message = fmt::format("the program did not come back within {:g} s {}", static_cast<double>(step_timeout.count()) / 1000, place(end));
      return finding;
    case Death::kExit: finding.message = fmt::format("the program ended with exit code {} {}", end.death_number, place(end)); return finding;
    case Death::kSignal: finding.message = !end.death_text.empty() ? exchanged(end.death_text) : fmt::format("the program crashed with {} {}", signal_name(end.death_number), place(end)); return finding;
    case Death::kNone: break;
  }
  if (WIFSIGNALED(end.status)) {
    const int signal = WTERMSIG(end.status);
    if (const auto limit = process::limit_behind_death(end.status, end.processor_seconds); limit && !end.ended_by_us)
      return Diagnostic{fmt::format("tarry: error: the tested program was killed with {}: {}", signal_name(signal), *limit)};
    if (signal == SIGKILL && !end.ended_by_us) return Diagnostic{"tarry: error: the tested program was killed with SIGKILL: the machine ran out of memory (give it less with --memory, or fewer workers with --jobs), or a user killed it"};
    finding.message = fmt::format("the program crashed with {} {}", signal_name(signal), place(end));
    if (!started) return Diagnostic{fmt::format("{}: error: {}{}", executable.string(), finding.message, said)};
    return finding;
  }
  const int code = WEXITSTATUS(end.status);
  if (started) return OurFault{fmt::format("the tested program ended with exit code {} and without a result{}", code, said)};
  if (code == 127 || !end.output.empty()) return Diagnostic{fmt::format("{}: error: it could not be started: exit code {} before its main function{}", executable.string(), code, said)};
  return Diagnostic{fmt::format("{}: error: the program ran without Tarry's runtime in it; programs that are set-user-id or bring their own loader cannot be checked", executable.string())};
}

namespace {

/// A worker without an answer: how far its search went. If its end is a finding, that goes to `found`.
std::variant<SearchResult, Diagnostic, OurFault> without_answer(const WorkerEnd& end, bool interrupted, const Circumstances& tested, FoundOnce& found) {
  SearchResult out;
  if (end.death != Death::kHang && (interrupted || end.asked || end.ended_by_us)) {  // no longer waited for: how it ended is not the program's doing
    out.outcome.stopped_by = StoppedBy::kInterrupt;
    return out;
  }
  auto account = account_of(end, tested);
  if (auto* diagnostic = std::get_if<Diagnostic>(&account)) return *diagnostic;
  if (auto* fault = std::get_if<OurFault>(&account)) return *fault;
  auto& finding = std::get<Finding>(account);
  if (finding.kind == kLimitKind) {
    out.outcome.stopped_by = StoppedBy::kLimit;
    out.outcome.limit = finding.message;
    return out;
  }
  out.outcome.stopped_by = StoppedBy::kFinding;
  if (!end.schedule_fits) out.outcome.notes.emplace_back("the schedule that led there has too many choices to be kept");
  const std::string words = words_of(finding);
  found.add(std::move(finding), words);
  return out;
}

}  // namespace

std::variant<SearchResult, Diagnostic, OurFault> search_answer(const Launched& launched, const Circumstances& tested,
                                                            const std::vector<std::string>& suppressions, const std::filesystem::path& folder) {
  const std::filesystem::path& executable = tested.executable;
  std::vector<SearchResult> workers;
  FoundOnce found;
  std::uint64_t suppressed = 0;
  for (const WorkerEnd& end : launched.workers) {
    if (!end.answer) {
      auto worker = without_answer(end, launched.interrupted_by != 0, tested, found);
      if (!std::holds_alternative<SearchResult>(worker)) return worker;
      workers.push_back(std::move(std::get<SearchResult>(worker)));
      continue;
    }
    const Answer& answer = *end.answer;
    if (!answer.problem.empty()) return Diagnostic{fmt::format("{}: error: {}", executable.string(), answer.problem)};
    const std::vector<Module> modules = modules_of(answer, executable);
    Symbols symbols(modules, folder);
    std::istringstream own(answer.suppressions);
    const std::vector<std::string> own_suppressions = read_suppressions(own).names;
    for (const RawFinding& raw : answer.raw_findings()) {
      if (is_suppressed(raw, symbols, suppressions) || is_suppressed(raw, symbols, own_suppressions)) {
        ++suppressed;
        continue;
      }
      Finding finding = finding_of(raw, symbols);
      const std::string words = essence(raw, finding, symbols);
      found.add(std::move(finding), words);
    }
    workers.push_back(answer.result);
    note_modules(modules, executable, workers.back().outcome.notes);
  }
  SearchResult out = joined(workers);
  out.findings = std::move(found).all();
  if (out.outcome.stopped_by == StoppedBy::kInterrupt && launched.interrupted_by == 0) {  // by the tool, for the user's limits
    if (launched.out_of_memory) out.outcome.stopped_by = StoppedBy::kMemory;
    else if (launched.out_of_time) out.outcome.stopped_by = StoppedBy::kTime;
  }
  if (!out.outcome.complete) out.outcome.totals.reset();  // some workers proved their part, others did not
  if (suppressed > 0) out.outcome.notes.push_back(fmt::format("{} data race{} suppressed by --suppressions, or by the program itself", suppressed, suppressed == 1 ? " was" : "s were"));
  return out;
}

}  // namespace tarry::native
