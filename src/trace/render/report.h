// What a check came to, as plain data: the renderers' input (renderer.h), put together by the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/finding.h"
#include "core/search_result.h"
#include "core/subject.h"

namespace tarry {

enum class Verdict : std::uint8_t { kVerified, kNoBugFound, kBug };
/// As --json has it: "verified", "no-bug-found", "bug".
const char* name_of(Verdict verdict);

/// A finding, and the execution that confirmed it.
struct ReportedFinding {
  Finding finding;
  std::string trace = {};          // path of its trace file, empty if there is none
  std::uint64_t count = 1;         // equal findings (same_finding) are kept once; 0: it was none after all
  std::optional<Replay> replay = {};  // what the confirming run showed; nothing if it was not run again
};

/// What a test must show to pass, beside having no bug.
struct Demand {
  bool verified = false;        // with nothing assumed and nothing left open, unless that is accepted
  bool accepts_fair = false;    // it may hold for fair schedules only
  bool accepts_safety = false;  // liveness may be left open
  bool accepts_limits = false;  // what Tarry does not control or explore may be left out
};

/// How the search was asked for.
struct AskedSearch {
  std::string name;
  std::optional<std::string> explorer = {};  // not every search takes one
  std::uint64_t seed = 1;
  std::uint32_t jobs = 1;
  bool keeps_going = false;  // findings do not end it
  bool reduces = false;      // by partial-order reduction
};

struct Report {
  std::string target;
  std::string test = {};  // among several of the target; empty if it is the only one
  Verdict verdict = Verdict::kNoBugFound;
  AskedSearch search;
  SearchResult result;    // all facts of the search; its findings are in `findings`
  Effort effort;
  bool complete = false;  // all executions were explored, and no finding ended that
  std::vector<ReportedFinding> findings = {};
  std::vector<Assumption> assumes = {};  // what was left out of "all executions", and is not accepted unasked
  /// Liveness properties that a verified test has, and for which endless executions that is so.
  struct Live {
    std::vector<std::string> properties;
    std::string fairness, choices;  // "weak", "fair"
  };
  std::optional<Live> live = {};
  std::vector<std::string> undecided = {};  // of a verified test: properties that the search leaves open, "liveness of spec 'Progress'"
  double seconds = 0;                       // of the whole command, as far as it is for this test
  std::vector<std::string> notes = {};
  std::string verdict_text = {};            // one or two sentences
  Demand demand = {};                       // what does not meet it is a failure

  struct Reached {
    Bound bound;
    std::uint64_t value = 0;
  };
  std::optional<Reached> reached() const;
  std::optional<std::string> stopped_by() const;  // "time", "memory", "bound", "samples", "interrupt", …
  std::optional<std::string> under() const;       // an assumption of a verified test: "sequential consistency"
  Progress::Totals totals() const { return result.outcome.totals.value_or(effort.totals); }

  /// Requires: the verdict is no bug.
  bool meets_demand() const;
  /// What the user can say so that a verified report meets the demand: "; to accept this, say --accept fair".
  std::string what_to_accept() const;
  /// "the verdict assumes fair schedules": why a report does not meet its demand.
  std::string what_is_missing() const;
};

}  // namespace tarry
