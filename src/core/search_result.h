// What a search came to: the one type for it, from the process that searched to the report.
//
// A fact about a search is a field here and a line in its list. The list is read by the codec (trace/exchange.h), which carries results of models,
// P programs and thread programs, and by `joined`, which makes one result of those of several workers. Renderers read the fields themselves.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/finding.h"
#include "core/program.h"
#include "core/progress.h"

namespace tarry {

enum class StoppedBy { kNothing, kTime, kMemory, kBound, kSamples, kInterrupt, kFinding, kStates, kLimit };

/// What searches count to bound executions. Empty: nothing.
inline constexpr const char* kBounds[] = {"delays", "preemptions", "depth"};
using Bound = OneOf<kBounds>;

/// How far a search went.
struct Outcome {
  bool complete = false;  // everything was explored
  StoppedBy stopped_by = StoppedBy::kNothing;
  Bound bound;
  std::string limit;      // kLimit: the limit of Tarry itself, as in "more than 65,535 machines"
  std::uint64_t reached = 0;  // the last bound that was explored completely
  bool reached_any = false;
  std::uint64_t cut = 0;  // executions cut at --max-depth
  std::uint64_t put_aside = 0;  // executions longer than the default depth that were not continued
  std::uint64_t in_vain = 0;    // executions that partial-order reduction abandoned, because others explore the same
  std::uint32_t fair = 0;       // complete for fair schedules only: fairness (every fair-th yield) removed choices; 0: not so
  std::uint64_t samples = 0;    // executions drawn at random
  std::uint64_t bytes = 0;      // largest size of the tables
  bool sealed = false;          // some state was sealed
  bool lossy = false;           // one state may have been taken for another
  bool visits = false;          // a state may be counted several times, once each time it was expanded
  bool live = false;            // complete, and every liveness property of the program holds
  std::vector<std::string> notes;
  std::string winner_search, winner_explorer;  // portfolio: the member that decided
  std::optional<Progress::Totals> totals;      // of the search that decided, since it last started over
};

/// What a verdict rests on beside the schedules, in words that follow "verified for". `About` is what a user accepts it by (--accept).
struct Assumption {
  enum class About : std::uint8_t { kFairSchedules, kLimit, kUnseen };
  About about = About::kLimit;
  std::string text;
  friend bool operator==(const Assumption&, const Assumption&) = default;
};

struct SearchResult {
  Outcome outcome;
  std::vector<Finding> findings;
  std::string explorer;       // its name
  bool weak_atomics = false;  // ran, and were taken to be sequentially consistent
  std::map<std::string, std::uint64_t> outputs = {};  // what executions wrote, with how often, if that was asked for
  std::set<std::string> covered = {};  // what the program said that it came to (tarry::cover)
  std::uint64_t orders = 0;   // different happens-before orders of executions, where they are told
  std::vector<Assumption> assumes = {};
  Checks checks = {};         // that the verdict rests on
  std::vector<std::string> properties = {};  // liveness properties of the program, by name
};

/// How the values that several workers have for one fact become one.
enum class Join : std::uint8_t {
  kAll,    // it holds if it holds for all
  kAny,    // it holds if it holds for one
  kSum,
  kLeast,  // of numbers that are given: 0 is none
  kUnion,  // each item once; numbers of equal keys are added up
  kFirst,  // of those that are there
  kApart,  // depends on other facts: `joined` has a rule for it
};

/// Calls f(name, field, join) for every fact.
template <class O, class F>
  requires std::is_same_v<std::remove_const_t<O>, Outcome>
void for_each_fact(O& o, F&& f) {
  f("complete", o.complete, Join::kAll);
  f("stopped_by", o.stopped_by, Join::kApart);
  f("bound", o.bound, Join::kApart);
  f("limit", o.limit, Join::kFirst);
  f("reached", o.reached, Join::kApart);
  f("reached_any", o.reached_any, Join::kApart);
  f("cut", o.cut, Join::kSum);
  f("put_aside", o.put_aside, Join::kSum);
  f("in_vain", o.in_vain, Join::kSum);
  f("fair", o.fair, Join::kLeast);
  f("samples", o.samples, Join::kSum);
  f("bytes", o.bytes, Join::kSum);
  f("sealed", o.sealed, Join::kAny);
  f("lossy", o.lossy, Join::kAny);
  f("visits", o.visits, Join::kAny);
  f("live", o.live, Join::kAll);
  f("notes", o.notes, Join::kUnion);
  f("winner_search", o.winner_search, Join::kApart);
  f("winner_explorer", o.winner_explorer, Join::kApart);
  f("totals", o.totals, Join::kApart);
}

template <class R, class F>
  requires std::is_same_v<std::remove_const_t<R>, SearchResult>
void for_each_fact(R& r, F&& f) {
  f("outcome", r.outcome, Join::kApart);
  f("findings", r.findings, Join::kApart);
  f("explorer", r.explorer, Join::kFirst);
  f("weak_atomics", r.weak_atomics, Join::kAny);
  f("outputs", r.outputs, Join::kUnion);
  f("covered", r.covered, Join::kUnion);
  f("orders", r.orders, Join::kApart);
  f("assumes", r.assumes, Join::kUnion);
  f("checks", r.checks, Join::kApart);
  f("properties", r.properties, Join::kUnion);
}

/// Makes one result of those of all workers of a search. Findings are left out: which ones are equal, the front end knows.
SearchResult joined(std::span<const SearchResult> workers);

}  // namespace tarry
