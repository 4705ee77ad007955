#include "trace/render/junit.h"

#include <fmt/format.h>

#include "trace/render/plain_text.h"
#include "trace/render/text.h"
#include "trace/whole_file.h"

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
  return out + (reported.text.empty() ? finding_line(reported.finding) + "\n" : reported.text);
}

std::string failures(const Report& report) {
  std::string out;
  for (const ReportedFinding& reported : report.findings)
    out += failure(reported.finding.kind, finding_line(reported.finding), details(reported));
  if (out.empty() && report.verdict == "bug") out = failure("bug", report.verdict_text, "");
  if (out.empty() && !report.meets_demand())
    out = failure("not-verified", report.verdict_text, "");
  return out;
}

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", attribute(name), attribute(value));
}

}  // namespace

namespace {

std::string test_case(const Report& report, const std::string& target) {
  const std::string name = report.test.empty() ? attribute(report.target) : attribute(report.test);
  std::string out = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", report.test.empty() ? "tarry" : target, name, report.seconds);
  out += failures(report);
  std::string said = report.verdict_text + "\n";
  for (const std::string& note : report.notes) said += "note: " + note + "\n";
  return out + fmt::format("      <system-out>{}</system-out>\n    </testcase>\n", content(said));
}

std::string properties(const Report& report) {
  std::string out = property("verdict", report.verdict) + property("search", report.search);
  if (report.explorer) out += property("explorer", *report.explorer);
  out += property("seed", std::to_string(report.seed)) + property("states", std::to_string(report.states));
  return out + property("transitions", std::to_string(report.transitions)) + property("executions", std::to_string(report.executions));
}

}  // namespace

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

std::optional<Diagnostic> write_junit(const std::filesystem::path& file, const std::vector<Report>& reports) {
  return write_whole(file, render_junit(reports), Existing::kReplace);
}

}  // namespace tarry
