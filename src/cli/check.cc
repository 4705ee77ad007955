// tarry check: builds the program, searches it in a child process, confirms what was found in another one, and tells.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <utility>

#include "base/units.h"
#include "cli/check_options.h"
#include "cli/findings.h"
#include "cli/progress_line.h"
#include "cli/verdict.h"
#include "toolchain/surroundings.h"
#include "trace/render/json.h"
#include "trace/render/junit.h"
#include "trace/render/plain_text.h"
#include "trace/render/text.h"

namespace tarry::cli {
namespace {

/// Searches by another bound than delays count that; a finding's delays are delays.
SearchResult with_costs_named(SearchResult result) {
  const std::string& bound = result.outcome.bound;
  for (Finding& finding : result.findings) {
    if (finding.delays < 0 || bound.empty() || bound == "delays") continue;
    if (bound != "depth") result.outcome.notes.push_back(fmt::format("{}: {} to get there", bound, finding.delays));
    finding.delays = -1;
  }
  return result;
}

std::string statistics(const Report& report) {
  const auto counted = [](std::uint64_t n, const char* what) { return fmt::format("{} {}{}", with_separators(n), what, n == 1 ? "" : "s"); };
  std::string text = counted(report.transitions, "transition");
  if (report.states > 0 || report.executions == 0) text = counted(report.states, "state") + ", " + text;
  if (report.executions > 0) text += ", " + counted(report.executions, "execution");
  if (report.complete && report.samples > 0) text += fmt::format(" (and {} at random, which the proof does not count)", with_separators(report.samples));
  text += fmt::format(", depth {}, in {}", with_separators(report.depth), seconds_text(report.seconds));
  // Compiling, replaying a finding and telling of it count too.
  if (report.seconds - report.search_seconds > std::max(0.1, report.seconds / 10)) text += fmt::format(" ({} of it searching)", seconds_text(report.search_seconds));
  return text + fmt::format(" with {}", size_text(report.peak_rss));
}

std::string how_to_reproduce(const Arguments& arguments) {
  std::string command = "tarry check";
  for (const std::string& word : arguments) {
    const bool plain = !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,") == std::string::npos;
    command += plain ? ' ' + word : fmt::format(" '{}'", word);
  }
  return fmt::format("tarry: to reproduce it: {}\n", command);
}

/// A line each: several traces in a row are not read by anybody.
void list_findings(const Report& report) {
  fmt::print("\n");
  for (const ReportedFinding& reported : report.findings) {
    fmt::print("  {}\n", finding_line(reported.finding));
    fmt::print("    after {} steps, met {} time{}: tarry replay {}\n", with_separators(reported.finding.steps), with_separators(reported.count),
               reported.count == 1 ? "" : "s", reported.trace);
  }
}

/// What the program says it came to: a few of it.
void list_covered(const Report& report) {
  constexpr std::size_t kMost = 20;
  std::size_t left = kMost;
  for (const std::string& text : report.covered)
    if (left-- > 0) fmt::print("tarry: covered: {}\n", plain_text(text));
    else return fmt::print("tarry: covered: {} more (--json lists all)\n", with_separators(report.covered.size() - kMost));
}

/// Whole, unless there are several: then one of each kind, behind a list of all.
void print_traces(const Report& report, const std::vector<std::string>& traces, const CheckOptions& options) {
  std::set<std::string> shown;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const bool first = shown.insert(report.findings[i].finding.kind).second;
    if (!options.verbose && (options.engine.keep_going || !first)) continue;
    if (traces.size() > 1) fmt::print("\n{}:\n", report.findings[i].trace);
    fmt::print("{}{}", traces.size() > 1 ? "" : "\n", traces[i]);
  }
}

void print(const Report& report, const std::vector<std::string>& traces, const CheckOptions& options) {
  fmt::print("tarry: {}\n", report.verdict_text);
  if (traces.size() > 1 || (options.engine.keep_going && !traces.empty())) list_findings(report);
  print_traces(report, traces, options);
  if (!traces.empty()) fmt::print("\n");
  for (const auto& [text, times] : report.outputs) fmt::print("{} time{}:\n{}{}", with_separators(times), times == 1 ? "" : "s", text, text.ends_with('\n') || text.empty() ? "" : "\n");
  list_covered(report);
  for (const std::string& note : report.notes) fmt::print("tarry: note: {}\n", note);
  fmt::print("tarry: {}\n", statistics(report));
}

int exit_code(const Report& report, const Outcome& outcome, int interrupted_by) {
  if (report.verdict == "bug") return kBug;
  if (outcome.stopped_by == StoppedBy::kInterrupt && interrupted_by != 0) return 128 + interrupted_by;
  if (report.meets_demand()) return kNoBug;
  const std::string why = report.verdict != "verified" ? "the program is not verified"
                          : !report.undecided.empty() ? "not everything is decided"
                                                      : fmt::format("the verdict assumes {}", fmt::join(report.assumes, " and "));
  fmt::print(stderr, "tarry: error: --fail-unless-verified: {}: {}{}\n", why, report.verdict_text, report.what_to_accept());
  return kBug;
}

/// One subject, checked: its report, or the exit code to end with (what is wrong has been printed).
struct Done {
  Report report;
  int exit_code;
  bool interrupted;
};

/// What was no bug after all has no trace: it was a slow step, where the search ended.
Outcome drop_unconfirmed(Report& report, std::vector<std::string>& traces, Outcome outcome, std::chrono::milliseconds step_timeout) {
  for (std::size_t i = traces.size(); i-- > 0;) {
    if (report.findings[i].count != 0) continue;
    report.findings.erase(report.findings.begin() + static_cast<std::ptrdiff_t>(i));
    traces.erase(traces.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (!report.findings.empty() || report.verdict != "bug") return outcome;
  report.verdict = "no-bug-found";
  report.complete = outcome.complete = false;
  report.stopped_by = "limit";
  outcome.stopped_by = StoppedBy::kLimit;
  outcome.limit = fmt::format("one step took longer than --step-timeout {}, and did not when it was taken again", duration_text(step_timeout));
  return outcome;
}

/// What a proof leaves open: liveness, if the search does not decide it, and properties that there was no room for.
std::vector<std::string> undecided(const SearchResult& result, const Subject& subject) {
  std::vector<std::string> out = subject.facts().undecided;
  for (const std::string& property : result.properties) {
    std::erase_if(out, [&](const std::string& open) { return open == property || open == "liveness of " + property; });
    if (!result.outcome.live) out.push_back("liveness of " + property);
  }
  return out;
}

using Clock = std::chrono::steady_clock;

Done tell(const CheckOptions& options, const SearchResult& result, const Effort& effort, const Subject& subject, Clock::time_point began) {
  Done done{make_report(options, result, effort), kNoBug, effort.interrupted_by != 0};
  Report& report = done.report;
  report.test = subject.facts().test;
  if (report.verdict == "verified") report.undecided = undecided(result, subject);
  auto [traces, interrupted] = confirm_and_keep(report, options, result.explorer, subject, effort.interrupted_by != 0);
  done.interrupted = done.interrupted || interrupted;
  put_into_words(report, options, drop_unconfirmed(report, traces, result.outcome, options.step_timeout));
  if (!done.interrupted) {
    std::vector<Finding> findings;
    for (const ReportedFinding& reported : report.findings) findings.push_back(reported.finding);
    subject.write_about(findings, report.notes);
  }
  report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  if (!options.json) print(report, traces, options);
  std::fflush(stdout);
  done.exit_code = exit_code(report, result.outcome, effort.interrupted_by);
  return done;
}

std::variant<Done, int> check_one(const CheckOptions& options, const Subject& subject, const Arguments& arguments, Clock::time_point began) {
  auto end = search_with_progress(subject, options);
  if (const auto* diagnostic = std::get_if<Diagnostic>(&end)) return refuse(*diagnostic);
  if (const auto* fault = std::get_if<OurFault>(&end)) return admit(fmt::format("tarry: internal error: {}", fault->text), how_to_reproduce(arguments));
  auto& searched = std::get<Searched>(end);
  return tell(options, with_costs_named(std::move(searched.result)), searched.effort, subject, began);
}

/// A line a test, worst last.
void summarise(const std::vector<Report>& reports) {
  if (reports.size() < 2) return;
  std::size_t bugs = 0, verified = 0, for_safety = 0, width = 0;
  for (const Report& report : reports) {
    bugs += report.verdict == "bug" ? 1 : 0;
    (report.undecided.empty() ? verified : for_safety) += report.verdict == "verified" ? 1 : 0;
    width = std::max(width, report.test.size());
  }
  fmt::print("\ntarry: {} tests: {} with a bug, {} verified, {}{} without a bug found\n", reports.size(), bugs, verified,
             for_safety == 0 ? "" : fmt::format("{} verified for safety, ", for_safety), reports.size() - bugs - verified - for_safety);
  for (const Report& report : reports)
    fmt::print("  {:{}}  {}{}\n", report.test, width, report.verdict == "bug" ? report.findings.front().finding.kind : report.verdict,
               report.undecided.empty() ? "" : " for safety");
}

int check_all(const CheckOptions& options, const Subjects& subjects, const Arguments& arguments, Clock::time_point began) {
  std::vector<Report> reports;
  int code = kNoBug;
  for (const auto& subject : subjects) {
    if (!options.json && subjects.size() > 1) fmt::print("{}tarry: test {}\n", reports.empty() ? "" : "\n", subject->facts().test);
    const auto one = check_one(options, *subject, arguments, std::exchange(began, Clock::now()));
    if (const int* failed = std::get_if<int>(&one)) return *failed;
    const auto& done = std::get<Done>(one);
    reports.push_back(done.report);
    if (code != kBug && done.exit_code != kNoBug) code = done.exit_code;
    if (done.interrupted) break;
  }
  const auto problem = options.junit ? write_junit(*options.junit, reports) : std::nullopt;
  if (problem && code != kBug) return refuse(*problem);
  if (options.json) fmt::print("{}\n", render_json(reports));
  else summarise(reports);
  std::fflush(stdout);
  if (problem) fmt::print(stderr, "{}\n", problem->text);
  return code;
}

int list_tests(const CheckOptions& options) {
  const auto tests = options.loader->tests(options);
  if (!tests) return refuse(tests.error());
  fmt::print("{} {}\n", tests->size(), tests->size() == 1 ? "test" : "tests");
  for (const std::string& test : *tests) fmt::print("{}\n", test);
  return kNoBug;
}

}  // namespace

int check_command(const Arguments& arguments) {
  const auto began = Clock::now();
  const auto unattended = ends_when_interrupted();
  auto parsed = parse_check_options(arguments);
  if (const int* end = std::get_if<int>(&parsed)) return *end;
  auto& options = std::get<CheckOptions>(parsed);
  if (options.trace && std::filesystem::exists(*options.trace))
    return refuse(usage_error(fmt::format("--trace: '{}' is there already, and traces are never overwritten", options.trace->string())));
  if (options.list_tests) return list_tests(options);
  const auto subjects = options.loader->load(options);
  if (!subjects) return refuse(subjects.error());
  if (options.takes_explorer && names_a_file(options.explorer)) {
    const auto built = object_of(options.explorer, "is neither a .cpp nor a .so file, so it is no explorer; see docs/writing-an-explorer.md");
    if (!built) return refuse(built.error());
    options.explorer_object = built->object;
  }
  return check_all(options, *subjects, arguments, began);
}

}  // namespace tarry::cli
