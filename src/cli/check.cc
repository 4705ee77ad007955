// tarry check: builds the program, searches it in a child process, confirms what was found in another one, and tells.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "cli/check_options.h"
#include "cli/findings.h"
#include "cli/progress_line.h"
#include "cli/verdict.h"
#include "toolchain/surroundings.h"
#include "trace/render/renderer.h"
#include "trace/whole_file.h"

namespace tarry::cli {
namespace {

/// Searches by another bound than delays count that; a finding's delays are delays.
SearchResult with_costs_named(SearchResult result) {
  const Bound bound = result.outcome.bound;
  for (Finding& finding : result.findings) {
    if (finding.delays < 0 || bound.empty() || bound == "delays") continue;
    if (bound != "depth") result.outcome.notes.push_back(fmt::format("{}: {} to get there", bound.name(), finding.delays));
    finding.delays = -1;
  }
  return result;
}

std::string how_to_reproduce(const Arguments& arguments) {
  std::string command = "tarry check";
  for (const std::string& word : arguments) {
    const bool plain = !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,") == std::string::npos;
    command += plain ? ' ' + word : fmt::format(" '{}'", word);
  }
  return fmt::format("tarry: to reproduce it: {}\n", command);
}

/// `interrupted_by`: the signal that ended the search; 0: none did.
int exit_code(const Report& report, int interrupted_by) {
  if (report.verdict == Verdict::kBug) return kBug;
  if (interrupted_by != 0) return 128 + interrupted_by;
  if (report.meets_demand()) return kNoBug;
  fmt::print(stderr, "tarry: error: --fail-unless-verified: {}: {}{}\n", report.what_is_missing(), report.verdict_text, report.what_to_accept());
  return kBug;
}

/// One subject, checked: its report, or the exit code to end with (what is wrong has been printed).
struct Done {
  Report report;
  int exit_code;
  bool interrupted;
};

/// What was no bug after all has no trace: it was a slow step, where the search ended.
void drop_unconfirmed(Report& report, std::chrono::milliseconds step_timeout) {
  std::erase_if(report.findings, [](const ReportedFinding& reported) { return reported.count == 0; });
  if (!report.findings.empty() || report.verdict != Verdict::kBug) return;
  Outcome& outcome = report.result.outcome;
  report.verdict = Verdict::kNoBugFound;
  report.complete = outcome.complete = false;
  outcome.stopped_by = StoppedBy::kLimit;
  outcome.limit = fmt::format("one step took longer than --step-timeout {}, and did not when it was taken again", duration_text(step_timeout));
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

Done tell(const CheckOptions& options, SearchResult result, const Effort& effort, const Subject& subject, Clock::time_point began) {
  Done done{make_report(options, std::move(result), effort), kNoBug, effort.interrupted_by != 0};
  Report& report = done.report;
  report.test = subject.facts().test;
  if (report.verdict == Verdict::kVerified) report.undecided = undecided(report.result, subject);
  if (confirm_and_keep(report, options, report.result.explorer, subject, done.interrupted)) done.interrupted = true;
  const int stopped_by_signal = report.result.outcome.stopped_by == StoppedBy::kInterrupt ? effort.interrupted_by : 0;
  drop_unconfirmed(report, options.step_timeout);
  put_into_words(report, options);
  bool all_written = true;
  if (!done.interrupted) {
    std::vector<Finding> findings;
    for (const ReportedFinding& reported : report.findings) findings.push_back(reported.finding);
    all_written = subject.write_about(findings, report.notes);
  }
  report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  if (options.form->each) fmt::print("{}", options.form->each(report, render_options(options.color, options.verbose)));
  std::fflush(stdout);
  done.exit_code = exit_code(report, stopped_by_signal);
  if (!all_written && done.exit_code == kNoBug) done.exit_code = kBadInput;
  return done;
}

std::variant<Done, int> check_one(const CheckOptions& options, const Subject& subject, const Arguments& arguments, Clock::time_point began) {
  auto end = search_with_progress(subject, options);
  if (const auto* diagnostic = std::get_if<Diagnostic>(&end)) return refuse(*diagnostic);
  if (const auto* fault = std::get_if<OurFault>(&end)) return admit(fmt::format("tarry: internal error: {}", fault->text), how_to_reproduce(arguments));
  auto& searched = std::get<Searched>(end);
  return tell(options, with_costs_named(std::move(searched.result)), searched.effort, subject, began);
}

/// Writes the forms that go to files. Returns the first thing that goes wrong.
std::optional<Diagnostic> write_files(const CheckOptions& options, const std::vector<Report>& reports) {
  std::optional<Diagnostic> problem;
  for (const auto& [form, file] : options.files) {
    auto wrong = write_whole(file, renderer(form).whole(reports), Existing::kReplace);
    if (!problem) problem = std::move(wrong);
  }
  return problem;
}

int check_all(const CheckOptions& options, const Subjects& subjects, const Arguments& arguments, Clock::time_point began) {
  std::vector<Report> reports;
  int code = kNoBug;
  for (const auto& subject : subjects) {
    if (options.form->begin && subjects.size() > 1) fmt::print("{}", options.form->begin(subject->facts().test, reports.empty()));
    const auto one = check_one(options, *subject, arguments, std::exchange(began, Clock::now()));
    if (const int* failed = std::get_if<int>(&one)) return *failed;
    const auto& done = std::get<Done>(one);
    reports.push_back(done.report);
    if (code != kBug && done.exit_code != kNoBug) code = done.exit_code;
    if (done.interrupted) break;
  }
  const auto problem = write_files(options, reports);
  if (problem && code != kBug) return refuse(*problem);
  fmt::print("{}", options.form->whole(reports));
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
