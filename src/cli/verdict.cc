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
std::string bound_text(const std::string& bound, std::uint64_t value) {
  if (bound == "depth") return fmt::format("depth {}", with_separators(value));
  return counted(value, bound.ends_with('s') ? bound.substr(0, bound.size() - 1) : bound, bound);
}

std::optional<std::string> stopped_by_name(StoppedBy why) {
  switch (why) {
    case StoppedBy::kTime: return "time";
    case StoppedBy::kMemory: return "memory";
    case StoppedBy::kBound:
    case StoppedBy::kStates: return "bound";
    case StoppedBy::kLimit: return "limit";
    case StoppedBy::kSamples: return "samples";
    case StoppedBy::kInterrupt: return "interrupt";
    case StoppedBy::kNothing:
    case StoppedBy::kFinding: break;
  }
  return std::nullopt;
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
std::string extent(const Report& report, const CheckOptions& options, const Outcome& outcome) {
  std::vector<std::string> parts;
  if (report.reached) parts.push_back((only_sampled(options, outcome) ? "sampled up to " : "explored up to ") + bound_text(report.reached->bound, report.reached->value));
  if (report.executions > 0) parts.push_back(counted(report.executions, "execution", "executions"));
  if (report.states > 0) parts.push_back(outcome.visits ? counted(report.states, "visit of a state", "visits of states") : counted(report.states, "state", "states"));
  if (report.executions == 0 && report.states == 0) parts.emplace_back(report.transitions > 0 ? "no execution was followed to its end" : "nothing was explored");
  if (std::string why = stop_text(options, outcome); !why.empty()) parts.push_back(std::move(why));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string bug_text(const Report& report) {
  const ReportedFinding& first = report.findings.front();
  const Finding& finding = first.finding;
  std::string text = fmt::format("found {} after {}", finding.kind == "explorer" ? "a fault of the explorer" : finding.kind, counted(finding.steps, "step", "steps"));
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
std::string all_there_is(const Report& report, const Outcome& outcome) {
  if (report.states == 0) return "all " + counted(report.executions, "execution", "executions");
  if (outcome.visits) return fmt::format("all reachable states, in {},", counted(report.states, "visit", "visits"));
  return "all " + counted(report.states, "reachable state", "reachable states");
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

void add_notes(Report& report, const CheckOptions& options, const Outcome& outcome) {
  auto& notes = report.notes;
  if (report.verdict == "bug" && report.complete) notes.push_back(fmt::format("all {} explored", counted(report.executions, "execution was", "executions were")));
  if (report.verdict != "bug") {
    if (outcome.fair != 0 && report.verdict == "verified")
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
    if (!outcome.complete && report.reached && cached && !options.engine.strict_bound && can_be_strict)
      notes.push_back(fmt::format("a state that was first reached at a higher cost is not explored again at a lower one; --strict-bound makes '{}' mean all executions within it", bound_text(report.reached->bound, report.reached->value)));
  }
  if (!outcome.winner_search.empty() && outcome.winner_search != report.search && (report.verdict != "no-bug-found"))
    notes.push_back(fmt::format("decided by search {}{}", outcome.winner_search, outcome.winner_explorer.empty() ? "" : " with explorer " + outcome.winner_explorer));
  notes.insert(notes.end(), outcome.notes.begin(), outcome.notes.end());
}

}  // namespace

std::vector<ReportedFinding> merged(const std::vector<Finding>& findings) {
  std::vector<ReportedFinding> out;
  for (const Finding& finding : findings) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const ReportedFinding& other) {
      return other.finding.kind == finding.kind && other.finding.message == finding.message && other.finding.location == finding.location;
    });
    if (same == out.end()) {
      out.push_back({.finding = finding, .trace = "", .count = finding.count, .text = ""});
      continue;
    }
    same->count += finding.count;
    if (finding.steps < same->finding.steps) same->finding = finding;
  }
  return out;
}

Report make_report(const CheckOptions& options, const SearchResult& result, const Effort& effort) {
  const Outcome& outcome = result.outcome;
  const Progress::Totals totals = outcome.totals.value_or(effort.totals);
  Report report;
  report.target = options.target;
  report.findings = merged(result.findings);
  const bool verified = outcome.complete && !outcome.lossy;
  report.verdict = !report.findings.empty() ? "bug" : verified ? "verified" : "no-bug-found";
  if (outcome.reached_any) report.reached = {outcome.bound, outcome.reached};
  report.complete = outcome.complete && (report.findings.empty() || options.engine.keep_going);
  report.stopped_by = stopped_by_name(outcome.stopped_by);
  report.search = options.search;
  if (options.takes_explorer) report.explorer = result.explorer;
  else if (!outcome.winner_explorer.empty()) report.explorer = outcome.winner_explorer;
  report.seed = options.engine.seed;
  report.jobs = options.engine.jobs;
  report.states = totals.states;
  report.executions = totals.executions;
  report.transitions = totals.transitions;
  report.samples = outcome.samples;
  report.depth = totals.depth;
  report.seconds = report.search_seconds = effort.seconds;
  report.peak_rss = effort.peak_rss;
  report.bytes_per_state = totals.states == 0 ? 0 : static_cast<double>(effort.peak_rss) / static_cast<double>(totals.states);
  if (result.weak_atomics && report.verdict == "verified") report.under = "sequential consistency";
  if (outcome.fair != 0 && report.verdict == "verified") report.assumes.push_back(fmt::format("fair schedules, K={}", outcome.fair));
  if (report.verdict == "verified" && outcome.live)
    report.live = Report::Live{result.properties, std::array{"none", "weak", "strong"}[static_cast<std::size_t>(options.engine.fairness)], options.engine.choices == LoopChoices::kFair ? "fair" : "demonic"};
  if (report.verdict == "verified") report.assumes.insert(report.assumes.end(), result.assumes.begin(), result.assumes.end());
  report.outputs = result.outputs;
  report.covered = result.covered;
  report.orders = result.orders;
  if (Registry<Search>::find(options.search)->kind.reduces) report.in_vain = outcome.in_vain;
  report.checks = result.checks;
  report.demand = options.demand;
  return report;
}

void put_into_words(Report& report, const CheckOptions& options, const Outcome& outcome) {
  if (report.verdict == "bug") report.verdict_text = bug_text(report);
  else if (report.verdict == "verified")
    report.verdict_text = fmt::format("verified{}{}{}: {} explored", report.undecided.empty() ? "" : " for safety", report.under ? " under " + *report.under : "",
                                      report.assumes.empty() ? "" : fmt::format(" for {}", fmt::join(report.assumes, " and ")),
                                      all_there_is(report, outcome)) +
                          long_run(report) + open_questions(report);
  else if (outcome.complete)
    report.verdict_text = fmt::format("no bug found; explored all {} that --store {} tells apart", counted(report.states, "state", "states"), store_name(options));
  else report.verdict_text = "no bug found; " + extent(report, options, outcome);
  if (report.verdict != "bug") report.verdict_text += checks_text(report.checks);
  add_notes(report, options, outcome);
}

}  // namespace tarry::cli
