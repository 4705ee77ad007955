// tarry verify: runs the executions of a program with threads one by one, and keeps the traces of those that went well in a file of admissible schedules.
// Those that failed are left out, and reported as 'tarry check' does.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <variant>

#include "base/units.h"
#include "cli/admissible_file.h"
#include "cli/check_options.h"
#include "cli/findings.h"
#include "cli/free_runs.h"
#include "cli/overhead.h"
#include "cli/progress_line.h"
#include "cli/verdict.h"
#include "core/subject.h"
#include "enforce/region_traces.h"
#include "enforce/spool.h"
#include "native/driver/inspect.h"
#include "native/driver/symbols.h"
#include "trace/render/text.h"
#include "trace/whole_file.h"

namespace tarry::cli {
namespace {

namespace fs = std::filesystem;

const Manual kVerifyManual{
    .usage = "Usage: tarry verify PROGRAM [-o FILE] [--traces N] [--time T] [OPTIONS OF 'tarry check'] [-- ARGUMENTS]",
    .summary = "Runs executions of a program with threads one by one, one for each order of its dependent events (a trace), and keeps those that\n"
               "end without a bug. 'tarry run' then runs the program on these traces only. A file that is there already is extended.",
    .examples = "  tarry c++ -O2 queue.cpp -o queue && tarry verify ./queue -o queue.schedules\n"
                "  tarry verify queue.cpp --traces 100                 ends when there are 100 traces\n"
                "  tarry verify ./queue --time 10m -- --size 4         explores for ten minutes, with these arguments\n"
                "  tarry run --schedules queue.schedules ./queue\n",
    .closing = "Further options are those of 'tarry check': --time T, --memory SIZE, --search NAME and others (default search: dpor).\n"
               "Exit codes: 0 the file was written; 1 no execution can be admitted; 2 bad input. Bugs that were left out do not change the exit\n"
               "code. See docs/enforce.md.\n",
};

/// Prints the help, or what the build and shells ask for. Options are read by read_arguments, because those of 'tarry check' are passed on.
int describe(const Arguments& arguments) {
  CLI::App app("", "tarry verify");
  const auto add = [&app](const char* names, const char* value, const char* help) { add_value(app, names, value, help, [](const std::string&) { return std::nullopt; })->group("Options"); };
  add("-o,--output", "FILE", "the file of schedules (default: the name of the program, with .schedules)");
  add("--traces", "N", "ends when the set has N traces");
  add("--until-overhead", "P", "ends when the program under the set takes at most P percent longer than without ('20%'): begins with 16 traces, measures, and goes on with twice as many");
  add("--free-runs", "N", "runs the program N times by itself first, and verifies the orders that it took (default: 10; 0: none)");
  return *parse(app, kVerifyManual, arguments);
}

struct VerifyOptions {
  std::optional<fs::path> output;
  std::uint64_t traces = 0;
  std::uint32_t free_runs = 10;
  std::optional<double> overhead;  // --until-overhead: 0.2 for 20 %
  Arguments check;  // of `tarry check`
};

template <class T>
bool read_number(const std::string& text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

std::optional<Diagnostic> read_arguments(const Arguments& arguments, VerifyOptions& out) {
  bool search_given = false;
  std::size_t i = 0;
  for (; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& word = arguments[i];
    const auto value = [&](const char* name) -> std::optional<std::string> {
      const std::string with = std::string(name) + "=";
      if (word.starts_with(with)) return word.substr(with.size());
      if (word == name && i + 1 < arguments.size()) return arguments[++i];
      return std::nullopt;
    };
    if (const auto file = word == "-o" ? value("-o") : value("--output")) {
      out.output = *file;
    } else if (const auto number = value("--traces")) {
      if (!read_number(*number, out.traces) || out.traces == 0) return usage_error(fmt::format("--traces '{}': expected a number from 1 on", *number));
    } else if (const auto wanted = value("--until-overhead")) {
      double percent = 0;
      if (!read_number(wanted->ends_with('%') ? wanted->substr(0, wanted->size() - 1) : *wanted, percent) || !(percent >= 0)) return usage_error(fmt::format("--until-overhead '{}': expected a percentage, as in '20%'", *wanted));
      out.overhead = percent / 100;
    } else if (const auto runs = value("--free-runs")) {
      if (!read_number(*runs, out.free_runs) || out.free_runs > 1000) return usage_error(fmt::format("--free-runs '{}': expected a number from 0 to 1,000", *runs));
    } else {
      for (const char* const name : {"--races", "--reuses", "--spurious", "--faults", "--asan", "--outcomes", "--clock-jumps"})
        if (word == name || word.starts_with(std::string(name) + "=")) return usage_error(fmt::format("{} cannot be used with 'tarry verify': executions that it leads to cannot be enforced", name));
      search_given |= word == "--search" || word.starts_with("--search=");
      out.check.push_back(word);
    }
  }
  for (const char* const word : {"--explore", "--races=report", "--reuses=0", "--clock-jumps=0"}) out.check.emplace_back(word);
  if (!search_given) out.check.emplace_back("--search=dpor");
  out.check.insert(out.check.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
  return std::nullopt;
}

/// A file that is gone at the end of the scope.
class ScratchFile {
 public:
  explicit ScratchFile(fs::path path) : path_(std::move(path)) {}
  ~ScratchFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// What cannot be enforced, and where.
struct Refusal {
  std::uint32_t module = 0;
  std::uint64_t offset = 0;
  std::string why;
  friend auto operator<=>(const Refusal&, const Refusal&) = default;
};

/// What the runtime has written: traces go to the set, in its numbers.
class SpoolReader {
 public:
  explicit SpoolReader(enforce::ScheduleSet& set) : set_(set) {}

  void read(std::string_view spool) {
    enforce::for_each_record(spool, [this](enforce::SpoolTag tag, std::string_view bytes) { take(tag, bytes); });
    std::sort(set_.points.begin(), set_.points.end());
    std::sort(set_.sites.begin(), set_.sites.end());
    add_executions();
  }
  /// Returns what was left out of traces of regions.
  const std::vector<enforce::RegionProblem>& problems() const { return problems_; }
  /// Returns whether executions were void because further accesses became events.
  bool voided() const { return voided_; }
  /// Returns the number of different traces that failed.
  std::uint64_t failed() const { return failed_; }
  /// Returns whether executions failed outside of regions, behind one.
  bool failed_behind_regions() const { return failed_behind_regions_; }
  const std::set<Refusal>& refusals() const { return refusals_; }
  const std::map<std::uint32_t, std::string>& paths() const { return paths_; }

 private:
  void add_executions() {
    const bool has_regions = std::any_of(executions_.begin(), executions_.end(), [](const Execution& execution) { return !execution.entries.empty(); });
    if (!has_regions) {
      for (const Execution& execution : executions_) set_.add(execution.labels);
      return;
    }
    enforce::RegionTraces regions(set_);
    std::vector<const enforce::RegionEntry*> entries;
    bool threads_without_region = false;
    for (const Execution& execution : executions_) {
      entries.clear();
      for (const std::uint32_t number : execution.entries) entries.push_back(&entries_.at(number));
      regions.add(execution.labels, entries, execution.end);
      if (execution.end == enforce::RegionProducts::End::kFailed) continue;
      threads_without_region |= entries.empty() && std::any_of(execution.labels.begin(), execution.labels.end(), [this](std::uint32_t label) { return set_.labels()[label].thread != 0; });
    }
    problems_ = regions.finish();
    set_.several_regions = regions.products().has_several();
    failed_behind_regions_ = regions.products().has_failed();
    if (threads_without_region) problems_.push_back({.why = "executions that enter no region and create threads, of a program with regions"});
  }
  template <class T>
  static T number(std::string_view bytes, std::size_t at) {
    T out{};
    if (bytes.size() >= at + sizeof(T)) std::memcpy(&out, bytes.data() + at, sizeof(T));
    return out;
  }
  void take(enforce::SpoolTag tag, std::string_view bytes) {
    switch (tag) {
      case enforce::SpoolTag::kModule: {
        const auto module = number<std::uint32_t>(bytes, 0);
        paths_[module] = bytes.substr(sizeof(module));
        modules_[module] = set_.module(module == 0 ? "" : fs::path(paths_[module]).filename().string());  // the first one is the program
        return;
      }
      case enforce::SpoolTag::kLabel: return take_label(bytes);
      case enforce::SpoolTag::kExecution:
      case enforce::SpoolTag::kFailedExecution: {
        const auto common = number<std::uint32_t>(bytes, 0);
        last_.resize(common);
        for (std::size_t at = sizeof(common); at + sizeof(std::uint32_t) <= bytes.size(); at += sizeof(std::uint32_t)) last_.push_back(labels_.at(number<std::uint32_t>(bytes, at)));
        executions_.push_back({last_, std::move(next_entries_), tag == enforce::SpoolTag::kExecution ? enforce::RegionProducts::End::kWell : enforce::RegionProducts::End::kFailed});
        next_entries_.clear();
        return;
      }
      case enforce::SpoolTag::kEntry: return take_entry(bytes);
      case enforce::SpoolTag::kEntries:
        next_entries_.clear();
        for (std::size_t at = 0; at + sizeof(std::uint32_t) <= bytes.size(); at += sizeof(std::uint32_t)) next_entries_.push_back(number<std::uint32_t>(bytes, at));
        return;
      case enforce::SpoolTag::kAnew:
        voided_ |= !executions_.empty();
        executions_.clear();
        refusals_.clear();
        return;
      case enforce::SpoolTag::kPoint:
        set_.points.push_back({modules_[static_cast<std::uint32_t>(number<std::uint64_t>(bytes, 0))], number<std::uint64_t>(bytes, 8)});
        return;
      case enforce::SpoolTag::kSite:
        set_.sites.push_back({modules_[static_cast<std::uint32_t>(number<std::uint64_t>(bytes, 0))], number<std::uint64_t>(bytes, 8)});
        return;
      case enforce::SpoolTag::kFailed: failed_ = number<std::uint64_t>(bytes, 0); return;
      case enforce::SpoolTag::kRefused:
        refusals_.insert({static_cast<std::uint32_t>(number<std::uint64_t>(bytes, 0)), number<std::uint64_t>(bytes, 8), std::string(bytes.substr(16))});
        return;
    }
  }
  void take_entry(std::string_view bytes) {
    enforce::RegionEntry entry;
    enforce::entry_at(bytes, entry);
    const auto here = [this](std::uint32_t module) { return modules_[module]; };
    entry.read.module = here(entry.read.module);
    if (entry.read.unnamed_offset != 0) entry.read.unnamed_module = here(entry.read.unnamed_module);
    entry.read.values = enforce::renumbered(entry.read.values, here);
    entry.known = enforce::renumbered(entry.known, here);
    entries_.push_back(std::move(entry));
  }
  void take_label(std::string_view bytes) {
    enforce::Label label;
    enforce::label_at(bytes, label);
    const auto here = [this](enforce::Object& object) {
      if (object.space == enforce::Space::kData) object.module = modules_[object.module];
    };
    here(label.object);
    here(label.also);
    for (enforce::Touch& touch : label.touches) here(touch.object);
    label.module = label.offset == 0 ? 0 : modules_[label.module];
    labels_.push_back(set_.intern(label));
  }

  enforce::ScheduleSet& set_;
  std::map<std::uint32_t, std::string> paths_;
  std::map<std::uint32_t, std::uint32_t> modules_;  // of the runtime's numbers
  std::vector<std::uint32_t> labels_;               // the same
  std::vector<std::uint32_t> last_, next_entries_;
  struct Execution {
    std::vector<std::uint32_t> labels, entries;
    enforce::RegionProducts::End end;
  };
  std::vector<Execution> executions_;
  std::vector<enforce::RegionEntry> entries_;
  std::vector<enforce::RegionProblem> problems_;
  std::set<Refusal> refusals_;
  bool voided_ = false, failed_behind_regions_ = false;
  std::uint64_t failed_ = 0;
};

void tell_refusals(const SpoolReader& reader, const enforce::ScheduleSet& set, const fs::path& executable) {
  std::vector<native::Module> modules;
  for (const auto& [number, path] : reader.paths()) modules.push_back({.path = path.empty() ? executable.string() : path, .instrumented = true, .number = number});
  native::Symbols symbols(modules);
  for (const Refusal& refusal : reader.refusals()) {
    const std::string where = refusal.offset == 0 ? "" : symbols.shown({{.module = refusal.module, .offset = refusal.offset + 1}}).location();
    fmt::print("tarry: note: not admitted: executions with {}{}\n", refusal.why, where.empty() ? "" : fmt::format(" ({})", where));
  }
  const auto in_program = [&](std::uint32_t module, std::uint64_t offset) -> std::string {
    if (offset == 0 || !set.modules[module].empty()) return "";
    const std::string where = symbols.shown({{.module = 0, .offset = offset + 1}}).location();
    return where.empty() ? "" : fmt::format(" ({})", where);
  };
  std::set<std::string> told;
  const auto tell_once = [&](std::string line) {
    if (told.insert(line).second) fmt::print("tarry: note: {}\n", line);
  };
  for (const enforce::RegionProblem& problem : reader.problems()) tell_once(fmt::format("not admitted: {}{}", problem.why, in_program(problem.module, problem.offset)));
  for (const enforce::Footprint& footprint : set.footprints())
    if (footprint.unnamed_offset != 0) tell_once(fmt::format("region '{}' reads memory of the heap or of the thread that was there before its entry{}: it is not compared", footprint.region, in_program(footprint.unnamed_module, footprint.unnamed_offset)));
}

void tell_findings(const CheckOptions& options, const Searched& searched, const Subject& subject) {
  Report report = make_report(options, searched.result, searched.effort);
  confirm_and_keep(report, options, searched.result.explorer, subject, searched.effort.interrupted_by != 0);
  for (const ReportedFinding& reported : report.findings) {
    if (reported.count == 0) continue;
    const std::string replay = reported.trace.empty() ? "" : "; tarry replay " + reported.trace;
    fmt::print("tarry: left out: {}\n    met {}{}\n", finding_line(reported.finding), reported.count == 1 ? "once" : fmt::format("{} times", with_separators(reported.count)), replay);
  }
}

/// The set that the file has, if it is there and of this program.
Result<std::optional<enforce::ScheduleSet>> existing(const fs::path& file, const enforce::ScheduleSet& like) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::optional<enforce::ScheduleSet>();
  auto set = load_schedules(file);
  if (!set) return set.error();
  if (set->identity != like.identity) return Diagnostic{fmt::format("{}: error: has schedules of another program or of another build ('{}'); name another file with -o, or remove it", file.string(), set->program)};
  if (set->footprints().empty() && set->arguments != like.arguments) return Diagnostic{fmt::format("{}: error: has schedules for other arguments; name another file with -o, or remove it", file.string())};
  return std::optional<enforce::ScheduleSet>(std::move(*set));
}

/// What the search did not get to, in words.
std::string how_far(const Outcome& outcome, const enforce::ScheduleSet& set, bool interrupted) {
  if (set.complete) return set.assumes.empty() ? "these are all that the program has" : fmt::format("these are all that the program has, assuming {}", fmt::join(set.assumes, "; "));
  if (interrupted) return "interrupted; the same command goes on";
  if (outcome.stopped_by == StoppedBy::kTime) return "stopped by --time; the program may have more";
  if (outcome.stopped_by == StoppedBy::kStates) return "stopped by --traces; the program may have more";
  return "the program may have more";
}

/// Accesses of the program that are events, as Admissible::points has them.
std::vector<std::string> points_of(const enforce::ScheduleSet& set) {
  std::vector<std::string> out;
  for (const enforce::CodePlace& point : set.points)
    if (set.modules[point.module].empty()) out.push_back(fmt::format("0:{:x}", point.offset));
  return out;
}

/// The search made further accesses events after the recorded runs were followed. Follows them again, and adds their traces.
void follow_again(CheckOptions options, enforce::ScheduleSet& set) {
  const ScratchFile spool(scratch_name(fs::temp_directory_path(), ".tarry-executions"));
  options.admissible->spool = spool.path();
  options.admissible->only_recorded = true;
  options.admissible->points = points_of(set);
  const auto subjects = options.loader->load(options);
  if (!subjects) return;
  const auto end = search_with_progress(*subjects->front(), options);
  const auto bytes = read_whole(spool.path());
  if (!std::holds_alternative<Searched>(end) || !bytes) return;
  enforce::ScheduleSet recorded;
  recorded.identity = set.identity;
  recorded.arguments = set.arguments;
  recorded.assumes = set.assumes;
  SpoolReader(recorded).read(*bytes);
  if (set.differs_from(recorded).empty() && !set.may_combine_with(recorded)) set.merge(recorded);
}

/// One search, and what came of it.
struct Round {
  Searched searched;
  SpoolReader reader;
  std::size_t found = 0;  // traces
};
using RoundEnd = std::variant<Round, Diagnostic, OurFault>;

RoundEnd search_once(CheckOptions& options, enforce::ScheduleSet& set) {
  const ScratchFile spool(scratch_name(fs::temp_directory_path(), ".tarry-executions"));
  options.admissible->spool = spool.path();
  const auto subjects = options.loader->load(options);
  if (!subjects) return subjects.error();
  auto end = search_with_progress(*subjects->front(), options);
  if (const auto* diagnostic = std::get_if<Diagnostic>(&end)) return *diagnostic;
  if (const auto* fault = std::get_if<OurFault>(&end)) return *fault;
  const auto bytes = read_whole(spool.path());
  if (!bytes) return bytes.error();
  Round round{std::get<Searched>(std::move(end)), SpoolReader(set)};
  round.reader.read(*bytes);
  const SearchResult& result = round.searched.result;
  set.complete = result.outcome.complete && result.findings.empty() && round.reader.refusals().empty() && round.reader.problems().empty();
  set.assumes.clear();
  for (const Assumption& one : result.assumes) set.assumes.push_back(one.text);
  if (result.weak_atomics) set.assumes.emplace_back("sequential consistency, which enforcement upholds");
  if (round.reader.voided() && !set.complete && !options.admissible->recorded.empty() && set.size() > 0) follow_again(options, set);
  round.found = set.size();
  return round;
}

/// Adds the traces that were there before, and says if that is not possible. Returns how many were added.
std::size_t keep(enforce::ScheduleSet& set, const SpoolReader& reader, const std::optional<enforce::ScheduleSet>& before, const fs::path& file) {
  if (!before) return 0;
  if (set.size() == 0) return set.adopt(*before);
  std::string why = set.differs_from(*before);
  if (why.empty() && set.may_combine_with(*before)) {
    if (set.missing(*before) == 0) return 0;
    why = "executions enter several regions, and those that combine old and new traces were not verified";
    if (before->size() > set.size() && !reader.failed_behind_regions()) {
      fmt::print("tarry: note: the {} that '{}' had are kept, and no other is added: {}\n", number_of(before->size(), "trace"), file.string(), why);
      return set.adopt(*before);
    }
  }
  if (why.empty()) return set.merge(*before);
  fmt::print("tarry: note: the {} that '{}' had are dropped: {}\n", number_of(before->size(), "trace"), file.string(), why);
  return 0;
}

/// Nothing ended the search but that there was nothing left to search. (A search with findings is stopped by a bound without a name: what lies behind
/// failures.)
bool came_to_its_end(const Searched& searched) {
  const Outcome& outcome = searched.result.outcome;
  return searched.effort.interrupted_by == 0 && (outcome.stopped_by == StoppedBy::kNothing || (outcome.stopped_by == StoppedBy::kBound && outcome.bound.empty())) && outcome.cut == 0 && outcome.put_aside == 0;
}

void tell_regions(const enforce::ScheduleSet& set) {
  std::map<std::string, std::pair<std::set<std::uint64_t>, std::size_t>> regions;  // entries and traces
  for (const auto& word : set.words()) {
    const enforce::Label& first = set.labels()[set.events()[word.front()].label];
    if (first.kind != enforce::Kind::kEnterRegion) continue;
    auto& [entries, traces] = regions[set.footprints()[first.object.value].region];
    entries.insert(first.object.value), ++traces;
  }
  for (const auto& [name, counts] : regions)
    fmt::print("tarry: region '{}': {} for {}\n", name, number_of(counts.second, "trace"), counts.first.size() == 1 ? "1 entry" : fmt::format("{} different entries", with_separators(counts.first.size())));
}

void tell_set(const Round& round, const enforce::ScheduleSet& set, std::size_t kept, const fs::path& file) {
  const Searched& searched = round.searched;
  fmt::print("tarry: {} in {} ({} verified now{}): {}\n", number_of(set.size(), "admissible trace"), file.string(), with_separators(round.found), kept == 0 ? "" : fmt::format(", {} kept", with_separators(kept)),
             how_far(searched.result.outcome, set, searched.effort.interrupted_by != 0));
  if (const std::uint64_t failed = round.reader.failed(); came_to_its_end(searched) && failed > 0 && set.footprints().empty() && round.reader.refusals().empty())
    fmt::print("tarry: {} of {} that the search has are admitted ({:.3g} %); the others fail\n", with_separators(round.found), number_of(round.found + failed, "trace"), 100.0 * static_cast<double>(round.found) / static_cast<double>(round.found + failed));
  tell_regions(set);
  if (!set.points.empty()) fmt::print("tarry: note: {} of plain accesses are enforced as well\n", number_of(set.points.size(), "racing place"));
  fmt::print("tarry: {} executions in {}\n", with_separators(searched.effort.totals.executions), seconds_text(searched.effort.seconds));
}

/// Measures the program under the set. Returns whether it is fast enough, or cannot be measured.
bool is_fast_enough(const Executable& program, const enforce::ScheduleSet& set, double wanted) {
  const Overhead overhead = measure_overhead(program, set.image());
  if (!overhead.problem.empty()) {
    fmt::print("tarry: note: the overhead cannot be measured: {}\n", overhead.problem);
    return true;
  }
  fmt::print("tarry: overhead {:.0f} % with {}: {:.2f} ms instead of {:.2f} ms (medians of {} runs)\n", 100 * overhead.ratio(), number_of(set.size(), "trace"), overhead.enforced * 1e3, overhead.plain * 1e3, Overhead::kRuns);
  return overhead.ratio() <= wanted;
}

int verify(CheckOptions& options, const VerifyOptions& own, const fs::path& file, const Executable& program, const enforce::ScheduleSet& like, std::optional<enforce::ScheduleSet> before) {
  constexpr std::uint64_t kFirst = 16;
  const auto began = std::chrono::steady_clock::now();
  const auto time = options.engine.limits.time;
  options.admissible->most = own.overhead ? std::min(own.traces == 0 ? kFirst : own.traces, kFirst) : own.traces;
  while (true) {
    enforce::ScheduleSet set = like;
    auto end = search_once(options, set);
    if (const auto* diagnostic = std::get_if<Diagnostic>(&end)) return refuse(*diagnostic);
    if (const auto* fault = std::get_if<OurFault>(&end)) return admit(fmt::format("tarry: internal error: {}", fault->text), "");
    const Round& round = std::get<Round>(end);
    const auto tell = [&] {
      const auto subjects = options.loader->load(options);
      if (!subjects) return;
      tell_refusals(round.reader, set, program.file);
      tell_findings(options, round.searched, *subjects->front());
      for (const std::string& note : round.searched.result.outcome.notes) fmt::print("tarry: note: {}\n", note);
    };
    if (!own.overhead) tell();
    const std::size_t kept = keep(set, round.reader, before, file);
    if (set.size() == 0) {
      if (own.overhead) tell();
      fmt::print("tarry: no execution can be admitted, and no file was written\n");
      return kBug;
    }
    if (const auto wrong = write_whole(file, set.image(), Existing::kReplace)) return refuse(*wrong);
    tell_set(round, set, kept, file);
    if (!own.overhead) return kNoBug;
    const bool interrupted = round.searched.effort.interrupted_by != 0;
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
    const bool has_more = round.searched.result.outcome.stopped_by == StoppedBy::kStates && (own.traces == 0 || options.admissible->most < own.traces) && (!time || spent < *time);
    if (interrupted || is_fast_enough(program, set, *own.overhead) || !has_more) return tell(), kNoBug;
    options.admissible->most *= 2;
    if (own.traces != 0) options.admissible->most = std::min(options.admissible->most, own.traces);
    options.admissible->points = points_of(set);
    if (time) options.engine.limits.time = *time - spent;
    before = std::move(set);
  }
}

}  // namespace

int verify_command(const Arguments& arguments) {
  const auto unattended = ends_when_interrupted();
  if (arguments.empty()) return refuse(usage_error("there is nothing to verify: name a program, as in 'tarry verify ./queue'"));
  for (const char* const word : {"--help", "-h", kManualFlag, kWordsFlag})
    if (arguments[0] == word) return describe({word});
  VerifyOptions own;
  if (const auto wrong = read_arguments(arguments, own)) return refuse(*wrong);
  auto parsed = parse_check_options(own.check, [&](CheckOptions& options) -> std::optional<Diagnostic> {
    if (!options.front_end->verifies) return usage_error(fmt::format("'tarry verify' is for programs with threads, and '{}' is none", options.target));
    options.admissible = Admissible{.most = own.traces};
    return std::nullopt;
  });
  if (const int* end = std::get_if<int>(&parsed)) return *end;
  auto& options = std::get<CheckOptions>(parsed);
  options.engine.jobs = 1;

  const fs::path file = own.output.value_or(fs::path(options.target).stem().string() + ".schedules");
  TargetRequest only_built = options;
  only_built.leaves_input_alone = true;  // it can be read once
  const auto prepared = options.loader->load(only_built);
  if (!prepared) return refuse(prepared.error());
  if (prepared->size() != 1) return refuse(usage_error("'tarry verify' is for one program: name a test with --testcase"));
  const Executable program = *prepared->front()->facts().executable;
  if (!program.instrumented) return refuse(usage_error(fmt::format("'{}' is not instrumented, so what its threads access is not seen; build it with 'tarry c++'", options.target)));
  const auto facts = native::inspect(program.file);
  if (!facts) return refuse(facts.error());
  enforce::ScheduleSet set;
  set.identity = facts->identity;
  set.program = fs::path(options.target).filename();
  set.arguments = program.arguments;
  auto before = existing(file, set);
  if (!before) return refuse(before.error());
  if (*before) options.admissible->points = points_of(**before);
  if (const FreeRuns free = record_free_runs(program, own.free_runs); own.free_runs > 0) {
    options.admissible->recorded = free.recorded;
    if (free.unusable > 0) fmt::print("tarry: note: {} of {} by itself failed, or took too long to be followed\n", with_separators(free.unusable), number_of(own.free_runs, "run"));
  }
  return verify(options, own, file, program, set, std::move(*before));
}

}  // namespace tarry::cli
