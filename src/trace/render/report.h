// What a check came to, as plain data: the renderers' input, put together by the command line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/finding.h"
#include "core/program.h"

namespace tarry {

struct ReportedFinding {
  Finding finding;
  std::string trace;        // path of its trace file, empty if there is none
  std::uint64_t count = 1;  // equal findings (kind, place, message) are kept once
  std::string text;         // the trace for people, without colours; for JUnit
};

/// What a test must show to pass, beside having no bug.
struct Demand {
  bool verified = false;        // with nothing assumed and nothing left open, unless that is accepted
  bool accepts_fair = false;    // it may hold for fair schedules only
  bool accepts_safety = false;  // liveness may be left open
  bool accepts_limits = false;  // what Tarry does not control or explore may be left out
};

struct Report {
  std::string target;
  std::string test;     // among several of the target; empty if it is the only one
  std::string verdict;  // "bug", "verified" or "no-bug-found"
  struct Reached {
    std::string bound;  // "delays", "preemptions", "depth"
    std::uint64_t value = 0;
  };
  std::optional<Reached> reached;
  bool complete = false;
  Checks checks = {};                     // that the verdict rests on
  std::optional<std::string> under;       // an assumption that the verdict makes: "sequential consistency"
  std::vector<std::string> assumes = {};  // what was left out of "all executions", and is not accepted unasked: "fair schedules, K=8"
  /// Liveness properties that a verified test has, and for which endless executions that is so.
  struct Live {
    std::vector<std::string> properties;
    std::string fairness, choices;  // "weak", "fair"
  };
  std::optional<Live> live = {};
  std::vector<std::string> undecided = {};  // of a verified test: properties that the search leaves open, "liveness of spec 'Progress'"
  std::optional<std::string> stopped_by;  // "time", "memory", "bound", "samples", "interrupt", …
  std::string search;
  std::optional<std::string> explorer;  // not every search takes one
  std::uint64_t seed = 1;
  std::uint32_t jobs = 1;
  std::vector<ReportedFinding> findings;
  std::uint64_t states = 0;
  std::uint64_t executions = 0;
  std::uint64_t transitions = 0;
  std::uint64_t samples = 0;
  std::uint64_t depth = 0;
  double seconds = 0;         // of the whole command, as far as it is for this test
  double search_seconds = 0;  // of the search alone
  std::uint64_t peak_rss = 0;  // bytes
  double bytes_per_state = 0;
  std::map<std::string, std::uint64_t> outputs = {};  // what executions wrote, with how often, if that was asked for
  std::set<std::string> covered = {};                 // what the program said that it came to
  std::optional<std::uint64_t> in_vain = {};          // partial-order reduction: executions that were begun and given up
  std::uint64_t orders = 0;                           // different happens-before orders, where they are told
  std::vector<std::string> notes;
  std::string verdict_text;           // one or two sentences
  Demand demand;                      // for JUnit: what does not meet it is a failure

  /// Requires: the verdict is no bug.
  bool meets_demand() const {
    return !demand.verified || (verdict == "verified" && (demand.accepts_safety || undecided.empty()) && (demand.accepts_fair || !assumes_fairness()) &&
                                (demand.accepts_limits || !assumes_limits()));
  }
  bool assumes_fairness() const { return std::any_of(assumes.begin(), assumes.end(), is_fairness); }
  bool assumes_limits() const { return !std::all_of(assumes.begin(), assumes.end(), is_fairness); }
  /// What the user can say so that a verified report meets the demand: "; to accept this, say --accept fair".
  std::string what_to_accept() const {
    if (verdict != "verified") return "";
    std::string all;
    const auto add = [&](bool there, const char* what) {
      if (there) all += (all.empty() ? "" : ",") + std::string(what);
    };
    add(assumes_fairness(), "fair");
    add(!undecided.empty(), "safety");
    add(assumes_limits(), "limits");
    return "; to accept this, say --accept " + all;
  }

 private:
  static bool is_fairness(const std::string& assumption) { return assumption.starts_with("fair schedules"); }
};

}  // namespace tarry
