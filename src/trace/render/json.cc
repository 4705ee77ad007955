#include "trace/render/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/version.h"

namespace tarry {
namespace {


OrderedJson text_or_null(const std::string& text) { return text.empty() ? OrderedJson(nullptr) : OrderedJson(text); }

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
  OrderedJson out{{"kind", finding.kind},
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

}  // namespace

nlohmann::ordered_json report_json(const Report& report) {
  OrderedJson findings = OrderedJson::array();
  for (const ReportedFinding& finding : report.findings) findings.push_back(finding_json(finding));
  OrderedJson out;
  out["schema"] = 1;
  out["tarry"] = kVersion;
  out["target"] = report.target;
  if (!report.test.empty()) out["test"] = report.test;
  out["verdict"] = report.verdict;
  out["reached"] = report.reached ? OrderedJson{{"bound", report.reached->bound}, {"value", report.reached->value}} : OrderedJson(nullptr);
  out["complete"] = report.complete;
  out["checks"] = checks_json(report.checks);
  if (report.under) out["under"] = *report.under;
  if (!report.assumes.empty()) out["assumes"] = report.assumes;
  if (!report.undecided.empty()) out["undecided"] = report.undecided;
  if (report.live) out["liveness"] = {{"properties", report.live->properties}, {"fairness", report.live->fairness}, {"choices", report.live->choices}};
  out["stopped_by"] = value_or_null(report.stopped_by);
  out["search"] = report.search;
  out["explorer"] = value_or_null(report.explorer);
  out["seed"] = report.seed;
  out["jobs"] = report.jobs;
  out["findings"] = std::move(findings);
  out["states"] = report.states;
  out["executions"] = report.executions;
  out["transitions"] = report.transitions;
  out["samples"] = report.samples;
  out["depth"] = report.depth;
  out["seconds"] = number(report.seconds, 1e6);
  out["search_seconds"] = number(report.search_seconds, 1e6);
  out["peak_rss"] = report.peak_rss;
  out["bytes_per_state"] = number(report.bytes_per_state, 1e2);
  if (report.orders > 0) out["orders"] = report.orders;
  if (report.in_vain) out["in_vain"] = *report.in_vain;
  if (!report.outputs.empty()) {
    OrderedJson outputs = OrderedJson::array();
    for (const auto& [text, times] : report.outputs) outputs.push_back({{"output", text}, {"executions", times}});
    out["outcomes"] = std::move(outputs);
  }
  if (!report.covered.empty()) out["covered"] = report.covered;
  out["notes"] = report.notes;
  out["verdict_text"] = report.verdict_text;
  return out;
}

namespace {

/// A bug is worse than no bug found, that is worse than verified with open questions, and that is worse than verified.
int badness(const Report& report) { return report.verdict == "bug" ? 3 : report.verdict != "verified" ? 2 : report.undecided.empty() ? 0 : 1; }

}  // namespace

std::string render_json(const std::vector<Report>& reports) {
  const auto worst = std::max_element(reports.begin(), reports.end(), [](const Report& a, const Report& b) { return badness(a) < badness(b); });
  OrderedJson out = report_json(*worst);
  if (reports.size() > 1) {
    OrderedJson tests = OrderedJson::array();
    for (const Report& report : reports) tests.push_back(report_json(report));
    out["tests"] = std::move(tests);
  }
  return out.dump(2, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string render_error_json(const std::string& kind, const std::string& message, int exit_code) {
  const OrderedJson out{{"schema", 1}, {"tarry", kVersion}, {"verdict", "error"}, {"error", {{"kind", kind}, {"message", message}}}, {"exit_code", exit_code}};
  return out.dump(2, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace tarry
