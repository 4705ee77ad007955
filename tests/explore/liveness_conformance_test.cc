// Every search that decides liveness, with every explorer, fairness and rule for data choices, alone and with two or four workers, on random systems: verdicts against the oracle that goes
// through all sets of edges, lassos against its definition of a violation, and the graph that was walked against the system.
#include <gtest/gtest.h>

#include "tests/support/graph_program.h"
#include "tests/support/lasso.h"
#include "tests/support/liveness_ways.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

std::uint64_t reachable_edges(const Graph& graph) {
  const auto seen = reachable(graph);
  return static_cast<std::uint64_t>(std::count_if(graph.edges.begin(), graph.edges.end(), [&](const GraphEdge& e) { return seen.contains(e.from); }));
}

/// What is wrong with what a search said; empty if nothing is.
std::string wrong(const GraphProgram& program, const LivenessWay& way, const std::string& explorer, const SearchOptions& options, bool bad) {
  const Searched searched = run_search(program, way.search, explorer, options, way.params);
  if (searched.findings.size() != (bad ? 1u : 0u)) return bad ? "finds nothing" : "finds what is not there: " + searched.findings[0].message;
  if (searched.outcome.live == bad) return "does not say that liveness is decided";
  if (bad) return wrong_with(program.graph(), searched.findings[0], options);
  if (searched.totals.states != reachable(program.graph()).size()) return "has not seen every state, once";
  if (searched.totals.transitions != reachable_edges(program.graph())) return "has not taken every transition, once";
  return "";
}

struct Compared {
  std::uint64_t bugs = 0, proofs = 0;
  std::map<std::string, std::uint64_t> by_search;
};

void compare(const GraphProgram& program, LoopFairness fairness, LoopChoices choices, std::uint32_t jobs, bool bad, Compared& compared) {
  static const std::vector<LivenessWay> all = liveness_ways();
  SearchOptions options;
  options.fairness = fairness;
  options.choices = choices;
  options.jobs = jobs;
  for (const LivenessWay& way : all) {
    if (!way.any_choices && (fairness == LoopFairness::kStrong || choices == LoopChoices::kFair)) continue;
    for (const auto& explorer : Registry<Explorer>::all()) {
      SCOPED_TRACE(testing::Message() << way.search << " with " << explorer.name << ", fairness " << static_cast<int>(fairness) << ", choices " << static_cast<int>(choices) << ", jobs " << jobs);
      ASSERT_EQ(wrong(program, way, explorer.name, options, bad), "");
      ++compared.by_search[way.search];
      (bad ? compared.bugs : compared.proofs) += 1;
      if (!way.deepens) break;
    }
  }
}

/// Accepting cycles know no fair choices, so values of these systems have no owner that makes them fair.
void run_systems(std::uint64_t systems, std::uint32_t jobs) {
  Compared compared;
  for (std::uint64_t seed = 0; seed < systems && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GraphProgram program(random_graph(seed, {.resolved = false}));
    for (const LoopFairness fairness : kFairness)
      for (const LoopChoices choices : kChoices) compare(program, fairness, choices, jobs, violated(program.graph(), fairness, choices) != 0, compared);
  }
  EXPECT_GT(compared.bugs, systems);
  EXPECT_GT(compared.proofs, systems);
  EXPECT_GE(compared.by_search.size(), 4u);
  for (const auto& [search, times] : compared.by_search) EXPECT_GE(times, systems) << search;
}

TEST(LivenessConformance, EverySearchAgreesWithAllSetsOfEdges) { run_systems(500, 1); }
TEST(LivenessConformance, parallel_EverySearchAgreesWithAllSetsOfEdgesOnTwoWorkers) { run_systems(120, 2); }
TEST(LivenessConformance, EverySearchAgreesWithAllSetsOfEdgesOnFourWorkers) { run_systems(60, 4); }

/// Sixty states and two hundred edges are too many for all sets of edges. fair-cycle, which is held against them elsewhere, is the oracle here.
TEST(LivenessConformance, parallel_EverySearchAgreesWithComponentsOnLargerSystems) {
  Compared compared;
  for (std::uint64_t seed = 0; seed < 60 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Graph graph = random_graph(seed, {.most_states = 60, .most_processes = 3, .most_edges = 400, .resolved = false});
    for (GraphEdge& e : graph.edges) {
      if (seed % 3 != 0) e.marks.cold |= e.to <= e.from && e.to % (seed % 3 + 1) == 0 ? 3u : 0u;  // few cycles are left, so that there are proofs
      if (e.from % 7 != 0) e.marks.hot = 0;
    }
    const GraphProgram program(std::move(graph));
    for (const LoopFairness fairness : {LoopFairness::kNone, LoopFairness::kWeak}) {
      SearchOptions options;
      options.fairness = fairness;
      options.choices = LoopChoices::kDemonic;
      compare(program, fairness, LoopChoices::kDemonic, 1 + seed % 2, !run_search(program, "fair-cycle", "round-robin", options).findings.empty(), compared);
    }
  }
  EXPECT_GT(compared.bugs, 300u);
  EXPECT_GT(compared.proofs, 300u);
}

/// Large graphs, which workers share: the same graph and the same verdict, and lassos that are violations.
TEST(LivenessConformance, parallel_MapOnTwoWorkersWalksTheSameGraph) {
  std::uint64_t bugs = 0, proofs = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    Graph graph = random_graph(seed, {.most_states = 20'000, .most_processes = 3, .most_edges = 1'000'000, .resolved = false});
    if (seed % 4 != 0)
      for (GraphEdge& e : graph.edges) e.marks.cold = e.to <= e.from ? 3 : 0;  // what goes round is cold somewhere
    if (seed % 4 == 3) {  // refinement has something to do: a cycle in the middle of hot edges that lead to it
      const std::uint32_t middle = graph.states / 2;
      for (GraphEdge& e : graph.edges)
        if (e.from == middle) e.to = middle, e.marks = {1, 0};
    }
    const GraphProgram program(std::move(graph));
    SearchOptions options;
    options.fairness = seed % 2 == 0 ? LoopFairness::kNone : LoopFairness::kWeak;
    options.choices = LoopChoices::kDemonic;
    const Searched alone = run_search(program, "map", "round-robin", options);
    options.jobs = 2;
    const Searched both = run_search(program, "map", "round-robin", options);
    ASSERT_EQ(both.findings.empty(), alone.findings.empty()) << seed;
    ASSERT_EQ(both.outcome.live, alone.outcome.live) << seed;
    if (alone.outcome.live) {
      ASSERT_EQ(both.totals.states, alone.totals.states) << seed;
      ASSERT_EQ(both.totals.transitions, alone.totals.transitions) << seed;
    } else if (!both.findings.empty()) {
      ASSERT_EQ(wrong_with(program.graph(), both.findings[0], options), "") << seed;
    }
    (alone.outcome.live ? proofs : bugs) += 1;
  }
  EXPECT_GT(bugs, 5u);
  EXPECT_GT(proofs, 5u);
}

}  // namespace
}  // namespace tarry::test
