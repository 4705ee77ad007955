// --json: one object, schema 1, a contract (docs/verdicts.md). Of several tests: the worst one, and all of them in "tests".
#include "trace/render/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/version.h"
#include "trace/render/renderer.h"

namespace tarry {
namespace {

template <class T>
OrderedJson value_or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

/// JSON has no infinity. A few digits are enough, and read better.
OrderedJson number(double value, double digits) {
  return std::isfinite(value) ? OrderedJson(std::round(value * digits) / digits) : OrderedJson(nullptr);
}

OrderedJson finding_json(const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  OrderedJson out{{"kind", finding.kind.name()},
          {"message", finding.message},
          {"location", text_or_null(finding.location)},
          {"trace", text_or_null(reported.trace)},
          {"steps", finding.steps},
          {"delays", finding.delays < 0 ? OrderedJson(nullptr) : OrderedJson(finding.delays)},
          {"count", reported.count}};
  if (finding.loop != 0) {
    out["loop"] = finding.loop;  // its first step
    out["why_fair"] = finding.why;
  }
  return out;
}

/// Null where the front end does not know.
OrderedJson checks_json(const Checks& checks) {
  if (checks.made.empty() && checks.missing.empty()) return nullptr;
  return {{"made", checks.made}, {"missing", checks.missing}};
}

/// Fields are in the order of the contract.
OrderedJson report_json(const Report& report) {
  const SearchResult& result = report.result;
  const Progress::Totals totals = report.totals();
  const auto reached = report.reached();
  OrderedJson findings = OrderedJson::array();
  for (const ReportedFinding& finding : report.findings) findings.push_back(finding_json(finding));
  OrderedJson out;
  out["schema"] = 1;
  out["tarry"] = kVersion;
  out["target"] = report.target;
  if (!report.test.empty()) out["test"] = report.test;
  out["verdict"] = name_of(report.verdict);
  out["reached"] = reached ? OrderedJson{{"bound", reached->bound.name()}, {"value", reached->value}} : OrderedJson(nullptr);
  out["complete"] = report.complete;
  out["checks"] = checks_json(result.checks);
  if (const auto under = report.under()) out["under"] = *under;
  for (const Assumption& one : report.assumes) out["assumes"].push_back(one.text);
  if (!report.undecided.empty()) out["undecided"] = report.undecided;
  if (report.live) out["liveness"] = {{"properties", report.live->properties}, {"fairness", report.live->fairness}, {"choices", report.live->choices}};
  out["stopped_by"] = value_or_null(report.stopped_by());
  out["search"] = report.search.name;
  out["explorer"] = value_or_null(report.search.explorer);
  out["seed"] = report.search.seed;
  out["jobs"] = report.search.jobs;
  out["findings"] = std::move(findings);
  out["states"] = totals.states;
  out["executions"] = totals.executions;
  out["transitions"] = totals.transitions;
  out["samples"] = result.outcome.samples;
  out["depth"] = totals.depth;
  out["seconds"] = number(report.seconds, 1e6);
  out["search_seconds"] = number(report.effort.seconds, 1e6);
  out["peak_rss"] = report.effort.peak_rss;
  out["bytes_per_state"] = number(totals.states == 0 ? 0 : static_cast<double>(report.effort.peak_rss) / static_cast<double>(totals.states), 1e2);
  if (result.orders > 0) out["orders"] = result.orders;
  if (report.search.reduces) out["in_vain"] = result.outcome.in_vain;
  if (!result.outputs.empty()) {
    OrderedJson outputs = OrderedJson::array();
    for (const auto& [text, times] : result.outputs) outputs.push_back({{"output", text}, {"executions", times}});
    out["outcomes"] = std::move(outputs);
  }
  if (!result.covered.empty()) out["covered"] = result.covered;
  out["notes"] = report.notes;
  out["verdict_text"] = report.verdict_text;
  return out;
}

/// A bug is worse than no bug found, that is worse than verified with open questions, and that is worse than verified.
int badness(const Report& report) { return report.verdict == Verdict::kBug ? 3 : report.verdict != Verdict::kVerified ? 2 : report.undecided.empty() ? 0 : 1; }

std::string render_json(const std::vector<Report>& reports) {
  const auto worst = std::max_element(reports.begin(), reports.end(), [](const Report& a, const Report& b) { return badness(a) < badness(b); });
  OrderedJson out = report_json(*worst);
  if (reports.size() > 1) {
    OrderedJson tests = OrderedJson::array();
    for (const Report& report : reports) tests.push_back(report_json(report));
    out["tests"] = std::move(tests);
  }
  return json_text(out) + "\n";
}

const RendererRegistration entry{{.name = "json", .to = Renderer::To::kOutput, .help = "prints one JSON object, and nothing else, on standard output", .whole = render_json}};

}  // namespace
}  // namespace tarry

