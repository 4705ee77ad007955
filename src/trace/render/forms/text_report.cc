// What people read: for each test the verdict, traces, notes and counts; for several tests a line each at the end.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/units.h"
#include "trace/render/plain_text.h"
#include "trace/render/renderer.h"
#include "trace/render/text.h"

namespace tarry {
namespace {

std::string statistics(const Report& report) {
  const auto counted = [](std::uint64_t n, const char* what) { return fmt::format("{} {}{}", with_separators(n), what, n == 1 ? "" : "s"); };
  const Progress::Totals totals = report.totals();
  const std::uint64_t samples = report.result.outcome.samples;
  std::string text = counted(totals.transitions, "transition");
  if (totals.states > 0 || totals.executions == 0) text = counted(totals.states, "state") + ", " + text;
  if (totals.executions > 0) text += ", " + counted(totals.executions, "execution");
  if (report.complete && samples > 0) text += fmt::format(" (and {} at random, which the proof does not count)", with_separators(samples));
  text += fmt::format(", depth {}, in {}", with_separators(totals.depth), seconds_text(report.seconds));
  // Compiling, replaying a finding and telling of it count too.
  if (report.seconds - report.effort.seconds > std::max(0.1, report.seconds / 10)) text += fmt::format(" ({} of it searching)", seconds_text(report.effort.seconds));
  return text + fmt::format(" with {}", size_text(report.effort.peak_rss));
}

/// Lists the findings, one per line: several traces in a row are too long to read.
std::string list_of_findings(const Report& report) {
  std::string out = "\n";
  for (const ReportedFinding& reported : report.findings) {
    out += fmt::format("  {}\n", finding_line(reported.finding));
    out += fmt::format("    after {} steps, met {} time{}: tarry replay {}\n", with_separators(reported.finding.steps), with_separators(reported.count),
                       reported.count == 1 ? "" : "s", reported.trace);
  }
  return out;
}

/// What the program says it came to: a few of it.
std::string list_of_covered(const Report& report) {
  constexpr std::size_t kMost = 20;
  const auto& covered = report.result.covered;
  std::string out;
  std::size_t left = kMost;
  for (const std::string& text : covered) {
    if (left-- == 0) return out + fmt::format("tarry: covered: {} more (--json lists all)\n", with_separators(covered.size() - kMost));
    out += fmt::format("tarry: covered: {}\n", plain_text(text));
  }
  return out;
}

std::string trace_of(const ReportedFinding& reported, const RenderOptions& page) {
  return reported.replay ? render_trace_text(*reported.replay, reported.finding, page) : finding_line(reported.finding) + "\n";
}

/// Whole, unless there are several: then one of each kind, behind a list of all.
std::string traces(const Report& report, const RenderOptions& page) {
  std::string out;
  std::set<FindingKind> shown;
  const bool several = report.findings.size() > 1;
  for (const ReportedFinding& reported : report.findings) {
    const bool first = shown.insert(reported.finding.kind).second;
    if (!page.verbose && (report.search.keeps_going || !first)) continue;
    out += (several ? fmt::format("\n{}:\n", reported.trace) : "\n") + trace_of(reported, page);
  }
  return out;
}

std::string one_test(const Report& report, const RenderOptions& page) {
  std::string out = fmt::format("tarry: {}\n", report.verdict_text);
  if (report.findings.size() > 1 || (report.search.keeps_going && !report.findings.empty())) out += list_of_findings(report);
  out += traces(report, page);
  if (!report.findings.empty()) out += '\n';
  for (const auto& [text, times] : report.result.outputs) out += fmt::format("{} time{}:\n{}{}", with_separators(times), times == 1 ? "" : "s", text, text.ends_with('\n') || text.empty() ? "" : "\n");
  out += list_of_covered(report);
  for (const std::string& note : report.notes) out += fmt::format("tarry: note: {}\n", note);
  return out + fmt::format("tarry: {}\n", statistics(report));
}

std::string title(const std::string& test, bool first) { return fmt::format("{}tarry: test {}\n", first ? "" : "\n", test); }

/// A line a test.
std::string summary(const std::vector<Report>& reports) {
  if (reports.size() < 2) return "";
  std::size_t bugs = 0, verified = 0, for_safety = 0, width = 0;
  for (const Report& report : reports) {
    bugs += report.verdict == Verdict::kBug ? 1 : 0;
    (report.undecided.empty() ? verified : for_safety) += report.verdict == Verdict::kVerified ? 1 : 0;
    width = std::max(width, report.test.size());
  }
  std::string out = fmt::format("\ntarry: {} tests: {} with a bug, {} verified, {}{} without a bug found\n", reports.size(), bugs, verified,
                                for_safety == 0 ? "" : fmt::format("{} verified for safety, ", for_safety), reports.size() - bugs - verified - for_safety);
  for (const Report& report : reports)
    out += fmt::format("  {:{}}  {}{}\n", report.test, width, report.verdict == Verdict::kBug ? report.findings.front().finding.kind.name() : name_of(report.verdict),
                       report.undecided.empty() ? "" : " for safety");
  return out;
}

const RendererRegistration entry{{.name = "text", .to = Renderer::To::kScreen, .begin = title, .each = one_test, .whole = summary}};

}  // namespace
}  // namespace tarry
