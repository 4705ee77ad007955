#include "cli/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/units.h"
#include "core/registry.h"

namespace tarry::cli {
namespace {

std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
  return with_separators(count) + ' ' + (count == 1 ? one : many);
}

/// "2 delays".
std::string bound_text(const Report::Reached& reached) {
  if (reached.bound == "depth") return fmt::format("depth {}", with_separators(reached.value));
  const std::string name = reached.bound.name();
  return counted(reached.value, name.substr(0, name.size() - 1), name);
}

/// What the user gave, or the default, of the first of these options that is there.
std::string option_text(const CheckOptions& options, const std::string& name, const std::string& fallback) {
  return name + ' ' + options.given.value(name).value_or(fallback);
}

std::string stop_text(const CheckOptions& options, const Outcome& outcome) {
  const Limits& limits = options.engine.limits;
  switch (outcome.stopped_by) {
    case StoppedBy::kTime: return "stopped by " + option_text(options, "--time", "60s");
    case StoppedBy::kMemory: return "stopped by " + option_text(options, "--memory", fmt::format("{} (75 % of the machine's)", size_text(limits.memory)));
    case StoppedBy::kSamples: return outcome.samples == 0 ? "stopped by --samples" : "";
    case StoppedBy::kInterrupt: return "interrupted";
    case StoppedBy::kStates: return "stopped by a limit of states";
    case StoppedBy::kLimit: return "stopped: " + outcome.limit;
    case StoppedBy::kBound:
      if (outcome.bound == "delays" && limits.max_delays) return fmt::format("stopped by --max-delays {}", *limits.max_delays);
      if (outcome.bound == "preemptions" && limits.max_preemptions) return fmt::format("stopped by --max-preemptions {}", *limits.max_preemptions);
      return limits.max_depth_given ? fmt::format("stopped by {} {}", options.depth_option, limits.max_depth) : "stopped by a bound";
    default: return "";
  }
}

/// Were executions drawn at random, and nothing gone through to its end? Then a bound tells how far samples went.
bool only_sampled(const CheckOptions& options, const Outcome& outcome) {
  const Entry<Search>* const search = Registry<Search>::find(options.search);
  return outcome.samples > 0 && search != nullptr && !search->kind.complete;
}

/// "explored up to 2 delays, 8,112 states, stopped by --time 30s".
std::string extent(const Report& report, const CheckOptions& options) {
  const Outcome& outcome = report.result.outcome;
  const Progress::Totals totals = report.totals();
  std::vector<std::string> parts;
  if (const auto reached = report.reached()) parts.push_back((only_sampled(options, outcome) ? "sampled up to " : "explored up to ") + bound_text(*reached));
  if (totals.executions > 0) parts.push_back(counted(totals.executions, "execution", "executions"));
  if (totals.states > 0) parts.push_back(outcome.visits ? counted(totals.states, "visit of a state", "visits of states") : counted(totals.states, "state", "states"));
  if (totals.executions == 0 && totals.states == 0) parts.emplace_back(totals.transitions > 0 ? "no execution was followed to its end" : "nothing was explored");
  if (std::string why = stop_text(options, outcome); !why.empty()) parts.push_back(std::move(why));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string bug_text(const Report& report) {
  const ReportedFinding& first = report.findings.front();
  const Finding& finding = first.finding;
  std::string text = fmt::format("found {} after {}", finding.kind == "explorer" ? "a fault of the explorer" : finding.kind.name(), counted(finding.steps, "step", "steps"));
  if (finding.delays >= 0) text += fmt::format(" ({})", counted(static_cast<std::uint64_t>(finding.delays), "delay", "delays"));
  if (report.findings.size() > 1) text += fmt::format(", and {}", counted(report.findings.size() - 1, "more bug", "more bugs"));
  if (!first.trace.empty()) text += fmt::format("; replay it with: tarry replay {}", first.trace);
  return text;
}

/// "; checks: invariant, end check; no spec is attached to this test".
std::string checks_text(const Checks& checks) {
  if (checks.made.empty() && checks.missing.empty()) return "";
  std::string text = fmt::format("; checks: {}", fmt::join(checks.made, ", "));
  if (checks.made.empty()) text += "only what every program is checked for";
  for (const std::string& missing : checks.missing) text += "; " + missing;
  return text;
}

/// "; liveness of spec A and liveness of spec B are not decided".
std::string open_questions(const Report& report) {
  const auto& open = report.undecided;
  if (open.empty()) return "";
  if (open.size() == 1) return fmt::format("; {} is not decided", open.front());
  return fmt::format("; {} and {} are not decided", fmt::join(open.begin(), open.end() - 1, ", "), open.back());
}

/// "; liveness of spec A and spec B under weak fairness and fair choices".
std::string long_run(const Report& report) {
  if (!report.live) return "";
  const auto& names = report.live->properties;
  const std::string all = names.size() == 1 ? names.front() : fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
  return fmt::format("; liveness of {} under {} fairness and {} choices", all, report.live->fairness == "none" ? "no" : report.live->fairness, report.live->choices);
}

/// "all 8,112 reachable states".
std::string all_there_is(const Report& report) {
  const Progress::Totals totals = report.totals();
  if (totals.states == 0) return "all " + counted(totals.executions, "execution", "executions");
  if (report.result.outcome.visits) return fmt::format("all reachable states, in {},", counted(totals.states, "visit", "visits"));
  return "all " + counted(totals.states, "reachable state", "reachable states");
}

std::string store_name(const CheckOptions& options) { return options.engine.store == StoreKind::kExact ? "exact" : "bitstate"; }

std::string why_visits(const CheckOptions& options) {
  if (options.engine.cache == CacheKey::kNone) return "--cache none remembers none";
  if (options.engine.strict_bound) return "--strict-bound opens it again when it is reached at a lower cost";
  if (options.engine.cache == CacheKey::kProgramAndExplorer) return "--cache program+explorer tells it apart by the explorer's memory";
  return "memory was spent and not all states could be remembered";
}

/// States are told apart by the explorer's memory, which is never the same twice.
bool tells_executions_apart(const CheckOptions& options) {
  const auto* const explorer = Registry<Explorer>::find(options.explorer);
  const auto& limits = Registry<Search>::find(options.search)->kind.limits;
  const bool by_memory = options.engine.strict_bound || options.engine.cache == CacheKey::kProgramAndExplorer;
  return by_memory && explorer != nullptr && explorer->kind.remembers_all && std::find(limits.begin(), limits.end(), "max-delays") != limits.end();
}

void add_notes(Report& report, const CheckOptions& options) {
  const Outcome& outcome = report.result.outcome;
  auto& notes = report.notes;
  if (report.verdict == Verdict::kBug && report.complete) notes.push_back(fmt::format("all {} explored", counted(report.totals().executions, "execution was", "executions were")));
  if (report.verdict != Verdict::kBug) {
    if (outcome.fair != 0 && report.verdict == Verdict::kVerified)
      notes.push_back(fmt::format("a thread that yields {} times or more while another waits was kept from running on: executions in which it does were not explored (docs/fair-scheduling.md)", outcome.fair));
    if (outcome.sealed) notes.push_back("the program seals: within seals only one order was explored");
    if (outcome.visits) notes.push_back(fmt::format("a state counts each time it was visited, since {}", why_visits(options)));
    if (outcome.visits && !outcome.complete && tells_executions_apart(options))
      notes.push_back(fmt::format("explorer '{}' remembers the whole execution, so {} explores each execution on its own: where the program has a loop there is no end to that", options.explorer,
                                  options.engine.strict_bound ? "--strict-bound" : "--cache program+explorer"));
    if (outcome.lossy) notes.push_back(fmt::format("with --store {} coverage is probabilistic: different states may have been taken for one", store_name(options)));
    if (outcome.cut > 0 && !options.engine.limits.max_depth_given && options.engine.fair != 0 && !Registry<Search>::find(options.search)->kind.reduces)
      notes.push_back(fmt::format("{} still running after 1,000,000 steps, and cut there; --max-depth N cuts them earlier", counted(outcome.cut, "execution was", "executions were")));
    else if (outcome.cut > 0 && !options.engine.limits.max_depth_given)
      notes.push_back(fmt::format("{} still running after {} steps, and cut there; --max-depth N cuts them elsewhere", counted(outcome.cut, "execution was", "executions were"), with_separators(options.engine.limits.max_depth)));
    else if (outcome.cut > 0) notes.push_back(fmt::format("{} cut at {} {}", counted(outcome.cut, "execution was", "executions were"), options.depth_option, options.engine.limits.max_depth));
    if (outcome.put_aside > 0) notes.push_back(fmt::format("{} longer than {} steps and not followed to the end", counted(outcome.put_aside, "execution was", "executions were"), with_separators(options.engine.limits.max_depth)));
    const bool cached = options.engine.cache != CacheKey::kNone;
    const auto& limits = Registry<Search>::find(options.search)->kind.limits;
    const bool can_be_strict = std::find(limits.begin(), limits.end(), "strict-bound") != limits.end();
    if (const auto reached = report.reached(); !outcome.complete && reached && cached && !options.engine.strict_bound && can_be_strict)
      notes.push_back(fmt::format("a state that was first reached at a higher cost is not explored again at a lower one; --strict-bound makes '{}' mean all executions within it", bound_text(*reached)));
  }
  if (!outcome.winner_search.empty() && outcome.winner_search != report.search.name && (report.verdict != Verdict::kNoBugFound))
    notes.push_back(fmt::format("decided by search {}{}", outcome.winner_search, outcome.winner_explorer.empty() ? "" : " with explorer " + outcome.winner_explorer));
  notes.insert(notes.end(), outcome.notes.begin(), outcome.notes.end());
}

}  // namespace

std::vector<ReportedFinding> merged(const std::vector<Finding>& findings) {
  std::vector<ReportedFinding> out;
  for (const Finding& finding : findings) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const ReportedFinding& other) { return same_finding(other.finding, finding); });
    if (same == out.end()) {
      out.push_back({.finding = finding, .count = finding.count});
      continue;
    }
    same->count += finding.count;
    if (finding.steps < same->finding.steps) same->finding = finding;
  }
  return out;
}

Report make_report(const CheckOptions& options, SearchResult result, const Effort& effort) {
  Report report;
  report.target = options.target;
  report.findings = merged(result.findings);
  result.findings.clear();
  report.result = std::move(result);
  report.effort = effort;
  report.seconds = effort.seconds;
  const Outcome& outcome = report.result.outcome;
  report.verdict = !report.findings.empty() ? Verdict::kBug : outcome.complete && !outcome.lossy ? Verdict::kVerified : Verdict::kNoBugFound;
  report.complete = outcome.complete && (report.findings.empty() || options.engine.keep_going);
  report.search = {.name = options.search, .seed = options.engine.seed, .jobs = options.engine.jobs, .keeps_going = options.engine.keep_going, .reduces = Registry<Search>::find(options.search)->kind.reduces};
  if (options.takes_explorer) report.search.explorer = report.result.explorer;
  else if (!outcome.winner_explorer.empty()) report.search.explorer = outcome.winner_explorer;
  report.demand = options.demand;
  if (report.verdict != Verdict::kVerified) return report;
  if (outcome.fair != 0) report.assumes.push_back({Assumption::About::kFairSchedules, fmt::format("fair schedules, K={}", outcome.fair)});
  report.assumes.insert(report.assumes.end(), report.result.assumes.begin(), report.result.assumes.end());
  if (outcome.live)
    report.live = Report::Live{report.result.properties, std::array{"none", "weak", "strong"}[static_cast<std::size_t>(options.engine.fairness)], options.engine.choices == LoopChoices::kFair ? "fair" : "demonic"};
  return report;
}

void put_into_words(Report& report, const CheckOptions& options) {
  if (report.verdict == Verdict::kBug) {
    report.verdict_text = bug_text(report);
  } else if (report.verdict == Verdict::kVerified) {
    std::string assumed;
    for (const Assumption& one : report.assumes) assumed += (assumed.empty() ? " for " : " and ") + one.text;
    const auto under = report.under();
    report.verdict_text = fmt::format("verified{}{}{}: {} explored", report.undecided.empty() ? "" : " for safety", under ? " under " + *under : "", assumed, all_there_is(report)) + long_run(report) + open_questions(report);
  } else if (report.result.outcome.complete) {
    report.verdict_text = fmt::format("no bug found; explored all {} that --store {} tells apart", counted(report.totals().states, "state", "states"), store_name(options));
  } else {
    report.verdict_text = "no bug found; " + extent(report, options);
  }
  if (report.verdict != Verdict::kBug) report.verdict_text += checks_text(report.result.checks);
  add_notes(report, options);
}

}  // namespace tarry::cli
