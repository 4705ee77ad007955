// Random P programs with hot specs through every search that decides liveness: verdicts against the oracle of fair_oracle.h, lassos against the definition of a violation, and the graph
// that was walked against that of all states.
#include <gtest/gtest.h>

#include "tests/support/fair_oracle.h"
#include "tests/support/fewer.h"
#include "tests/support/lasso.h"
#include "tests/support/liveness_ways.h"
#include "tests/support/p_endless.h"
#include "tests/support/p_everything.h"
#include "tests/support/run_search.h"
#include "trace/replayer.h"

namespace tarry::test {
namespace {

using plang::Points;

OracleFairness of_oracle(LoopFairness fairness) {
  return fairness == LoopFairness::kNone ? OracleFairness::kNone : fairness == LoopFairness::kWeak ? OracleFairness::kWeak : OracleFairness::kStrong;
}

/// The same graph, in the form in which lassos are looked at.
Graph as_graph(const LiveGraph& live, std::uint32_t processes, std::uint32_t properties) {
  Graph out{.states = static_cast<std::uint32_t>(live.states()), .processes = processes, .properties = properties, .edges = {}};
  for (const LiveGraph::Edge& e : live.edges)
    if (!e.failed) out.edges.push_back({e.from, e.process, e.values, e.to, e.marks, e.resolved});
  for (std::uint32_t s = 0; s < live.states(); ++s)
    for (const std::uint32_t p : live.enabled[s]) out.hidden.insert({s, p});
  return out;
}

/// What is wrong with the replay of a finding, by a program of its own; empty if nothing is.
std::string wrong_when_replayed(const Searchable& p, Finding finding) {
  p.program->make_portable(finding);
  const plang::PProgram again(*p.ready.code, p.ready.test(), p.points, plang::Purpose::kReplay);
  Telling telling;
  telling.loop = finding.loop;
  const Replay shown = replay(again, finding.schedule, {}, {}, telling);
  if (shown.diverged_at) return "diverges: " + shown.divergence;
  if (shown.ending.kind != finding.kind) return std::string("ends with ") + shown.ending.kind.name();
  return shown.ending.message == finding.message ? "" : "says " + shown.ending.message;
}

class LiveProgram {
 public:
  LiveProgram(const std::string& text, Points points) : p_(text, points), live_(live_graph(*p_.program, 500)), without_owners_(live_) {
    if (without_owners_)
      for (LiveGraph::Edge& e : without_owners_->edges) e.resolved = {};
  }

  bool small() const { return live_.has_value(); }
  bool bad(const LivenessCombination& how) const {
    bool out = !live_->failures.empty();
    for (std::uint32_t i = 0; i < p_.program->properties().size(); ++i) out = out || FairOracle(graph(how), of_oracle(how.fairness), how.choices == LoopChoices::kFair).violated(i);
    return out;
  }

  /// What is wrong with what a search says; empty if nothing is.
  std::string wrong(const LivenessCombination& how, bool bad, std::uint64_t seed) const {
    const SearchOptions options = options_of(how, seed);
    const Searched searched = run_search(*p_.program, how.way.search, how.explorer, options, how.way.params);
    if (bad && searched.findings.empty()) return "finds nothing";
    if (!bad && !searched.findings.empty()) return "finds what is not there: " + searched.findings[0].message;
    if (how.jobs == 1 && searched.findings.size() > 1) return "goes on after a finding";
    if (searched.outcome.live == bad) return "does not say whether liveness is decided";
    if (!bad) {
      if (searched.totals.states != live_->states()) return "has not seen every state, once";
      return searched.totals.transitions == live_->edges.size() ? "" : "has not taken every transition, once";
    }
    for (const Finding& finding : searched.findings)  // two workers may find two bugs at the same time
      if (const std::string wrong = wrong_with_finding(finding, how, options); !wrong.empty()) return wrong;
    return "";
  }

 private:
  std::string wrong_with_finding(const Finding& finding, const LivenessCombination& how, const SearchOptions& options) const {
    if (finding.loop == 0 && !live_->failures.contains(finding.kind.name())) return std::string("finds ") + finding.kind.name() + ", which is not there";
    if (const std::string wrong = wrong_when_replayed(p_, finding); !wrong.empty()) return "replayed, its finding " + wrong;
    if (finding.loop == 0) return "";
    std::vector<std::string> owed;
    for (const Property& property : p_.program->properties()) owed.push_back(property.owed);
    return wrong_with(as_graph(graph(how), p_.program->shape().processes, static_cast<std::uint32_t>(owed.size())), finding, options, owed);
  }

  /// Searches that know no fair choices know none of `$$` either (docs/searches/map.md).
  const LiveGraph& graph(const LivenessCombination& how) const { return how.way.any_choices ? *live_ : *without_owners_; }

  Searchable p_;
  std::optional<LiveGraph> live_, without_owners_;
};

/// Each program takes some combinations in turn; all are met.
TEST(PLivenessSearches, EverySearchFindsWhatTheOracleFinds) {
  constexpr std::size_t kEach = 8;
  CombinationsMet met;
  for (std::uint64_t seed = 0; seed < fewer(300u); ++seed) {
    const std::string text = EndlessProgram(9000 + seed).text();
    const LiveProgram program(text, seed % 3 == 0 ? Points::kAll : Points::kNeeded);
    if (!program.small()) continue;
    for (const LivenessCombination& how : combinations_for(seed, kEach)) {
      const bool bad = program.bad(how);
      ASSERT_EQ(program.wrong(how, bad, seed), "") << how.text() << ", seed " << seed << "\n" << text;
      met.add(how, bad);
    }
  }
  const std::size_t all = liveness_combinations().size();
  EXPECT_GE(met.combinations(true), fewer(all));
  EXPECT_GE(met.combinations(false), fewer(all));
}

}  // namespace
}  // namespace tarry::test
