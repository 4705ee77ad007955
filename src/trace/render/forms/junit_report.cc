// --junit FILE: JUnit XML, which CI servers read. One test suite with a test case for each report; a finding is its failure.

#include <fmt/format.h>

#include "trace/render/plain_text.h"
#include "trace/render/renderer.h"
#include "trace/render/text.h"

namespace tarry {
namespace {

std::string escaped(std::string_view text, Lines lines) {
  std::string out;
  for (const char c : plain_text(text, lines)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&apos;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string attribute(std::string_view text) { return escaped(text, Lines::kJoin); }
std::string content(std::string_view text) { return escaped(text, Lines::kKeep); }

std::string failure(std::string_view type, std::string_view message, std::string_view text) {
  return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", attribute(type), attribute(message),
                     content(text));
}

/// What the failure of a finding says: where its trace is, and the trace.
std::string details(const ReportedFinding& reported) {
  std::string out;
  if (!reported.trace.empty()) out += "replay it with: tarry replay " + reported.trace + "\n";
  if (reported.count > 1) out += fmt::format("found {} times\n", reported.count);
  return out + (reported.replay ? render_trace_text(*reported.replay, reported.finding, {}) : finding_line(reported.finding) + "\n");
}

std::string failures(const Report& report) {
  std::string out;
  for (const ReportedFinding& reported : report.findings)
    out += failure(reported.finding.kind.name(), finding_line(reported.finding), details(reported));
  if (out.empty() && report.verdict == Verdict::kBug) out = failure("bug", report.verdict_text, "");
  if (out.empty() && !report.meets_demand())
    out = failure("not-verified", report.verdict_text, "");
  return out;
}

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", attribute(name), attribute(value));
}

std::string test_case(const Report& report, const std::string& target) {
  const std::string name = report.test.empty() ? attribute(report.target) : attribute(report.test);
  std::string out = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", report.test.empty() ? "tarry" : target, name, report.seconds);
  out += failures(report);
  std::string said = report.verdict_text + "\n";
  for (const std::string& note : report.notes) said += "note: " + note + "\n";
  return out + fmt::format("      <system-out>{}</system-out>\n    </testcase>\n", content(said));
}

std::string properties(const Report& report) {
  std::string out = property("verdict", name_of(report.verdict)) + property("search", report.search.name);
  if (report.search.explorer) out += property("explorer", *report.search.explorer);
  const Progress::Totals totals = report.totals();
  out += property("seed", std::to_string(report.search.seed)) + property("states", std::to_string(totals.states));
  return out + property("transitions", std::to_string(totals.transitions)) + property("executions", std::to_string(totals.executions));
}

std::string render_junit(const std::vector<Report>& reports) {
  const std::string name = attribute(reports.front().target);
  std::size_t broken = 0;
  double seconds = 0;
  for (const Report& report : reports) {
    broken += failures(report).empty() ? 0 : 1;
    seconds += report.seconds;
  }
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\" time=\"{:.3f}\"", reports.size(), broken, seconds);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuites name=\"tarry\" {}>\n  <testsuite name=\"{}\" {}>\n", counts, name, counts);
  if (reports.size() == 1) out += "    <properties>\n" + properties(reports.front()) + "    </properties>\n";
  for (const Report& report : reports) out += test_case(report, name);
  return out + "  </testsuite>\n</testsuites>\n";
}

const RendererRegistration entry{{.name = "junit", .help = "writes the verdict as JUnit XML too", .whole = render_junit}};

}  // namespace
}  // namespace tarry
