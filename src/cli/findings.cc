#include "cli/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <set>

#include "base/version.h"
#include "cli/terminal.h"
#include "trace/trace_file.h"

namespace tarry::cli {
namespace {

/// The search saw one thing and the replay of the same schedule another.
void turn_into_nondeterminism(Finding& finding, const Rerun& rerun) {
  std::string instead = "no failure";
  if (!rerun.ending.kind.empty()) instead = fmt::format("{} ({})", rerun.ending.kind.name(), rerun.ending.message);
  if (rerun.replay.diverged_at) instead = fmt::format("another way at step {}: {}", *rerun.replay.diverged_at, rerun.replay.divergence);
  finding.message = fmt::format("the program is not a function of its choices: the search saw {} ({}), the same schedule run again showed {}",
                                finding.kind.name(), finding.message, instead);
  finding.kind = "nondeterminism";
  finding.location.clear();
}

std::filesystem::path trace_name(const CheckOptions& options, const std::string& test, FindingKind kind) {
  if (!options.trace) return free_trace_name(options.output, test.empty() ? std::filesystem::path(options.target).stem().string() : test, kind.name());
  std::filesystem::path name = *options.trace;
  for (int n = 2; std::filesystem::exists(name); ++n) {  // more than one finding
    name = *options.trace;
    name.replace_filename(fmt::format("{}-{}{}", options.trace->stem().string(), n, options.trace->extension().string()));
  }
  return name;
}

std::string absolute(const std::string& file) { return std::filesystem::absolute(file).lexically_normal().string(); }

std::vector<std::string> more_files(const CheckOptions& options) {
  std::vector<std::string> out;
  for (const std::string& file : options.more_targets) out.push_back(absolute(file));
  return out;
}

Result<std::filesystem::path> keep(const Finding& finding, const std::vector<std::uint32_t>& fingerprints, const CheckOptions& options,
                                   const std::string& explorer, const Subject& subject) {
  const Trace trace{.tarry_version = std::string(kVersion),
                    .front_end = options.front_end->name,
                    .target = absolute(options.target),
                    .files = more_files(options),
                    .defines = options.defines,
                    .arguments = options.arguments,
                    .test = subject.facts().test,
                    .identity = subject.facts().identity,
                    .search = options.search,
                    .explorer = options.takes_explorer ? explorer : "",
                    .seed = options.engine.seed,
                    .options = options.given,
                    .finding = finding,
                    .fingerprints = fingerprints};
  // Another tarry may take the name between the look for a free one and the writing, which never overwrites: then the next one is tried.
  while (true) {
    const std::filesystem::path name = trace_name(options, subject.facts().test, finding.kind);
    auto written = write_trace(name, trace);
    std::error_code error;
    if (written || !std::filesystem::exists(name, error)) return written;
  }
}

/// A replay can say more than a search.
void take_words(Finding& finding, const StepText& ending) {
  finding.message = ending.message;
  if (finding.location.empty()) finding.location = ending.location;
}

using Clock = std::chrono::steady_clock;

/// What comes after the search may take as long as the search, and at least a little while: all of it together.
std::optional<Clock::time_point> end_of_confirming(const CheckOptions& options, bool hurries) {
  constexpr std::chrono::milliseconds kLeast{10'000};
  if (hurries) return Clock::now() + kInterruptedLimit;
  if (!options.engine.limits.time) return std::nullopt;
  return Clock::now() + std::max(*options.engine.limits.time + options.step_timeout, kLeast);
}

/// Steps that are not shown are walked, but not told.
RerunOptions rerun_options(const CheckOptions& options, std::optional<Clock::time_point> until) {
  RerunOptions how;
  how.step_timeout = options.step_timeout;
  if (until) how.time = std::max(std::chrono::duration_cast<std::chrono::milliseconds>(*until - Clock::now()), std::chrono::milliseconds(1));
  constexpr std::size_t kShown = RenderOptions{}.max_steps;
  if (!options.verbose) how.telling = {kShown, kShown};
  how.telling.record = true;
  return how;
}

}  // namespace

RenderOptions render_options(Color color, bool verbose) {
  RenderOptions out;
  out.color = color == Color::kAlways || (color == Color::kAuto && shows_color(stdout));
  out.verbose = verbose;
  out.chart_width = page_width(stdout);
  out.ascii = !shows_unicode();
  return out;
}

namespace {

/// `confirms`: else it is only written. Returns the signal that ended the rerun: then the finding is kept, but not confirmed.
int keep_one(ReportedFinding& reported, const CheckOptions& options, const std::string& explorer, const Subject& subject,
                 std::vector<std::string>& notes, bool confirms, std::optional<Clock::time_point> until) {
  Finding& finding = reported.finding;
  const RerunResult result = confirms ? subject.rerun(finding, {}, rerun_options(options, until)) : RerunResult(Diagnostic{""});
  int interrupted_by = 0;
  Replay replay;
  if (const auto* again = std::get_if<Rerun>(&result)) {
    if (subject.facts().looks_ahead && again->crashed && again->ending.kind == finding.kind && again->steps <= finding.steps + 1) {
      finding.message = again->ending.message;
      finding.location = again->ending.location;
      finding.schedule = again->schedule;
      finding.steps = again->steps;
    }
    if (again->steps == finding.steps + 1) {  // the search looked one step ahead
      finding.schedule = again->schedule;
      finding.steps = again->steps;
    }
    if (finding.kind == "explorer") {  // a replay asks no explorer: it shows the way to the state where it was asked
      if (again->replay.diverged_at) turn_into_nondeterminism(finding, *again);
    } else if (finding.kind != "nondeterminism") {
      if (!shows(*again, finding) && finding.kind == "nontermination") {  // the step is slow, or the machine was: a limit of ours, and no bug
        notes.push_back("a longer --step-timeout lets the search go on");
        reported.count = 0;
        return 0;
      }
      const bool cut_short = again->ending.kind == "nontermination" || again->ending.kind == kLimitKind;  // it did not get far enough to show it
      if (!shows(*again, finding) && cut_short) notes.push_back("the finding could not be confirmed: when the schedule was run again, " + again->ending.message);
      else if (!shows(*again, finding) && !again->unrepeatable.empty()) notes.push_back("the finding could not be confirmed: " + again->unrepeatable);
      else if (!shows(*again, finding)) turn_into_nondeterminism(finding, *again);
      else if (!again->ending.message.empty()) take_words(finding, again->ending);
    }
    replay = again->replay;
    const bool endless = finding.kind == "livelock" || finding.kind == "good-samaritan";
    if (endless && finding.location.empty() && !replay.steps.empty()) finding.location = replay.steps.back().location;
  } else if (confirms) {
    notes.push_back("the finding could not be confirmed: " + why_not(result));
    if (const auto* given_up = std::get_if<GivenUp>(&result)) interrupted_by = given_up->interrupted_by;
  }
  if (replay.fingerprints.size() > finding.steps) replay.fingerprints.resize(finding.steps);
  const auto file = keep(finding, replay.fingerprints, options, explorer, subject);
  if (file) reported.trace = file->string();
  else notes.push_back("the trace was not written: " + file.error().text);
  if (file && confirms && interrupted_by == 0) subject.write_beside(finding, result, *file, notes);
  if (confirms) reported.replay = std::move(replay);
  return interrupted_by;
}

}  // namespace

bool confirm_and_keep(Report& report, const CheckOptions& options, const std::string& explorer, const Subject& subject, bool hurries) {
  constexpr std::chrono::seconds kSilence{3};
  const Clock::time_point start = Clock::now();
  const auto until = end_of_confirming(options, hurries);
  Clock::time_point told = start;
  std::set<FindingKind> kinds;
  std::size_t left_out = 0;
  bool interrupted = false;
  std::size_t number = 0;
  for (ReportedFinding& reported : report.findings) {
    const Clock::time_point now = Clock::now();
    const bool first = kinds.insert(reported.finding.kind).second;
    const bool confirms = !interrupted && (first || now - start < kConfirmingLimit) && (!until || now < *until);
    left_out += confirms ? 0 : 1;
    ++number;
    if (!options.no_progress && now - told >= kSilence) {
      told = now;
      fmt::print(stderr, "tarry: running finding {} of {} again\n", number, report.findings.size());
    }
    if (keep_one(reported, options, explorer, subject, report.notes, confirms, until) != 0) interrupted = true;
  }
  if (left_out > 0)
    report.notes.push_back(fmt::format("{} of {} findings were not run again{}: their traces have no steps yet; 'tarry replay' shows them", left_out,
                                       report.findings.size(), interrupted || hurries ? "" : fmt::format(", because that took longer than {} s", kConfirmingLimit.count())));
  return interrupted;
}

}  // namespace tarry::cli
