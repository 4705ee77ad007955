#include "trace/render/report.h"

#include <algorithm>

namespace tarry {
namespace {

bool is_fairness(const Assumption& assumption) { return assumption.about == Assumption::About::kFairSchedules; }
bool assumes_fairness(const Report& report) { return std::any_of(report.assumes.begin(), report.assumes.end(), is_fairness); }
bool assumes_limits(const Report& report) { return !std::all_of(report.assumes.begin(), report.assumes.end(), is_fairness); }

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kVerified: return "verified";
    case Verdict::kBug: return "bug";
    case Verdict::kNoBugFound: break;
  }
  return "no-bug-found";
}

std::optional<Report::Reached> Report::reached() const {
  if (!result.outcome.reached_any) return std::nullopt;
  return Reached{result.outcome.bound, result.outcome.reached};
}

std::optional<std::string> Report::stopped_by() const {
  switch (result.outcome.stopped_by) {
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

std::optional<std::string> Report::under() const {
  if (!result.weak_atomics || verdict != Verdict::kVerified) return std::nullopt;
  return "sequential consistency";
}

bool Report::meets_demand() const {
  return !demand.verified || (verdict == Verdict::kVerified && (demand.accepts_safety || undecided.empty()) && (demand.accepts_fair || !assumes_fairness(*this)) &&
                              (demand.accepts_limits || !assumes_limits(*this)));
}

std::string Report::what_to_accept() const {
  if (verdict != Verdict::kVerified) return "";
  std::string all;
  const auto add = [&](bool there, const char* what) {
    if (there) all += (all.empty() ? "" : ",") + std::string(what);
  };
  add(assumes_fairness(*this), "fair");
  add(!undecided.empty(), "safety");
  add(assumes_limits(*this), "limits");
  return "; to accept this, say --accept " + all;
}

std::string Report::what_is_missing() const {
  if (verdict != Verdict::kVerified) return "the program is not verified";
  if (!undecided.empty()) return "not everything is decided";
  std::string out = "the verdict assumes ";
  for (const Assumption& one : assumes) out += (&one == &assumes.front() ? "" : " and ") + one.text;
  return out;
}

}  // namespace tarry
