#include "cli/findings.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "base/version.h"
#include "cli/machine.h"
#include "cli/p_files.h"
#include "trace/trace_file.h"

namespace tarry::cli {
namespace {

/// The search saw one thing and the replay of the same schedule another.
void turn_into_nondeterminism(Finding& finding, const Rerun& rerun) {
  std::string instead = "no failure";
  if (!rerun.ending.kind.empty()) instead = fmt::format("{} ({})", rerun.ending.kind, rerun.ending.message);
  if (rerun.replay.diverged_at) instead = fmt::format("another way at step {}: {}", *rerun.replay.diverged_at, rerun.replay.divergence);
  finding.message = fmt::format("the program is not a function of its choices: the search saw {} ({}), the same schedule run again showed {}",
                                finding.kind, finding.message, instead);
  finding.kind = "nondeterminism";
  finding.location.clear();
}

std::filesystem::path trace_name(const CheckOptions& options, const std::string& test, const std::string& kind) {
  if (!options.trace) return free_trace_name(options.output, test.empty() ? std::filesystem::path(options.target).stem().string() : test, kind);
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
                    .target = absolute(options.target),
                    .files = more_files(options),
                    .defines = options.defines,
                    .test = subject.test(),
                    .identity = subject.identity(),
                    .search = options.search,
                    .explorer = options.takes_explorer ? explorer : "",
                    .seed = options.engine.seed,
                    .options = options.given,
                    .finding = finding,
                    .fingerprints = fingerprints};
  return write_trace(trace_name(options, subject.test(), finding.kind), trace);
}

/// A replay can say more than a search.
void take_words(Finding& finding, const StepText& ending) {
  finding.message = ending.message;
  if (finding.location.empty()) finding.location = ending.location;
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

std::string confirm_and_keep(ReportedFinding& reported, const CheckOptions& options, const std::string& explorer, const Subject& subject,
                             std::vector<std::string>& notes) {
  Finding& finding = reported.finding;
  const auto result = subject.rerun(finding, {}, options.step_timeout);
  Replay replay;
  if (const auto* again = std::get_if<Rerun>(&result)) {
    if (subject.looks_ahead() && again->crashed && again->ending.kind == finding.kind && again->steps <= finding.steps + 1) {
      finding.message = again->ending.message;
      finding.location = again->ending.location;
      finding.schedule = again->schedule;
      finding.steps = again->steps;
    }
    if (again->steps == finding.steps + 1) {  // the search looked one step ahead
      finding.schedule = again->schedule;
      finding.steps = again->steps;
    }
    if (finding.kind != "nondeterminism") {
      if (!shows(*again, finding) && finding.kind == "nontermination") {  // the step is slow, or the machine was: a limit of ours, and no bug
        notes.push_back(fmt::format("one step took longer than --step-timeout {}, and did not when it was taken again; the search ended there, and a longer --step-timeout lets it go on", duration_text(options.step_timeout)));
        reported.count = 0;
        return "";
      }
      if (!shows(*again, finding)) turn_into_nondeterminism(finding, *again);
      else if (!again->ending.message.empty()) take_words(finding, again->ending);
    }
    replay = again->replay;
    const bool endless = finding.kind == "livelock" || finding.kind == "good-samaritan";
    if (endless && finding.location.empty() && !replay.steps.empty()) finding.location = replay.steps.back().location;
  } else {
    const auto* fault = std::get_if<OurFault>(&result);
    notes.push_back("the finding could not be confirmed: " + (fault != nullptr ? fault->text : std::get<Diagnostic>(result).text));
  }
  if (replay.fingerprints.size() > finding.steps) replay.fingerprints.resize(finding.steps);
  const auto file = keep(finding, replay.fingerprints, options, explorer, subject);
  if (file) reported.trace = file->string();
  else notes.push_back("the trace was not written: " + file.error().text);
  if (options.p_trace.any() && file) write_p_traces(reported, options, *subject.state_subject(), notes);
  RenderOptions plain;
  reported.text = render_trace_text(replay, finding, plain);
  return render_trace_text(replay, finding, render_options(options.color, options.verbose));
}

}  // namespace tarry::cli
