// Liveness on random graphs: verdicts against the oracle that goes through all sets of edges, lassos against its definition of a violation.
#include <gtest/gtest.h>

#include "tests/support/graph_program.h"
#include "tests/support/lasso.h"
#include "tests/support/liveness_ways.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

TEST(LivenessOnGraphs, FairCycleAgreesWithAllSetsOfEdges) {
  std::uint64_t bugs = 0, proofs = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const GraphProgram program(random_graph(seed));
    for (const LoopFairness fairness : kFairness)
      for (const LoopChoices choices : kChoices) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << " fairness " << static_cast<int>(fairness) << " choices " << static_cast<int>(choices));
        SearchOptions options;
        options.fairness = fairness;
        options.choices = choices;
        const std::uint32_t bad = violated(program.graph(), fairness, choices);
        const Searched searched = run_search(program, "fair-cycle", "round-robin", options);
        ASSERT_EQ(searched.findings.size(), bad == 0 ? 0u : 1u);
        ASSERT_EQ(searched.outcome.live, bad == 0);
        ASSERT_EQ(searched.outcome.complete, bad == 0);
        if (bad != 0) {
          ASSERT_EQ(wrong_with(program.graph(), searched.findings[0], options), "");
        }
        (bad != 0 ? bugs : proofs) += 1;
        const Searched deepening = run_search(program, "fair-cycle", seed % 2 == 0 ? "random" : "round-robin", options, {{"deepen", 1}});
        ASSERT_EQ(deepening.findings.size(), bad == 0 ? 0u : 1u);
        ASSERT_EQ(deepening.outcome.live, bad == 0);
        if (bad != 0) {
          ASSERT_EQ(wrong_with(program.graph(), deepening.findings[0], options), "");
        }
        // A proof that needs fair choices says so, and only then.
        const bool needs_fair_choices = bad == 0 && choices == LoopChoices::kFair && violated(program.graph(), fairness, LoopChoices::kDemonic) != 0;
        ASSERT_EQ(!searched.outcome.notes.empty(), needs_fair_choices);
      }
  }
  EXPECT_GT(bugs, 500u);
  EXPECT_GT(proofs, 500u);
}

/// Larger graphs, without fairness: a hot edge that can be come back to without passing a cold one.
TEST(LivenessOnGraphs, parallel_WithoutFairnessItIsAReachableHotCycle) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const GraphProgram program(random_graph(seed, {.most_states = 60, .most_processes = 2, .most_edges = 200, .values = false}));
    const Graph& graph = program.graph();
    const auto seen = reachable(graph);
    bool bad = false;
    for (std::uint32_t p = 0; p < graph.properties && !bad; ++p)
      for (const GraphEdge& hot : graph.edges) {
        if (!seen.contains(hot.from) || (hot.marks.hot >> p & 1) == 0 || (hot.marks.cold >> p & 1) != 0) continue;
        std::set<std::uint32_t> back{hot.to};
        for (bool grew = true; grew;) {
          grew = false;
          for (const GraphEdge& e : graph.edges) grew = ((e.marks.cold >> p & 1) == 0 && back.contains(e.from) && back.insert(e.to).second) || grew;
        }
        bad = bad || back.contains(hot.from);
      }
    SearchOptions options;
    options.fairness = LoopFairness::kNone;
    options.choices = LoopChoices::kDemonic;
    const Searched searched = run_search(program, "fair-cycle", "round-robin", options);
    ASSERT_EQ(!searched.findings.empty(), bad) << seed;
    if (bad) {
      ASSERT_EQ(wrong_with(graph, searched.findings[0], options), "") << seed;
    }
  }
}

/// Large graphs, which workers build and divide together: the same graph, the same verdict, and lassos that are violations.
void compare_workers(LoopFairness fairness, LoopChoices choices, const ParamValues& params) {
  std::uint64_t bugs = 0, proofs = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << " fairness " << static_cast<int>(fairness) << " choices " << static_cast<int>(choices));
    Graph graph = random_graph(seed, {.most_states = 20'000, .most_processes = 3, .most_edges = 1'000'000});
    for (GraphEdge& e : graph.edges) {
      if (seed % 4 == 0) e.marks.cold = e.to <= e.from ? 3 : 0;                           // what goes round is cold somewhere
      if (seed % 4 == 2) e.marks = {e.from < 64 ? 3u : 0u, 0};                             // a large component that is hot in few places
      if (seed % 4 == 3) e.to = e.to % 3 == 0 ? std::max(e.from, e.to) : e.from / 64 * 64 + e.to % std::min(64u, graph.states - e.from / 64 * 64), e.marks = {e.from / 64 % 16 == 5 ? 1u : 0u, 0};  // small components, and ways between them
    }
    if (seed % 8 == 6) {  // the last process is starved wherever the others go round
      for (std::uint32_t s = 0; s < graph.states; ++s) graph.hidden.insert({s, graph.processes - 1});
      std::erase_if(graph.edges, [&](const GraphEdge& e) { return e.process == graph.processes - 1; });
    }
    const GraphProgram program(std::move(graph));
    SearchOptions options;
    options.fairness = fairness;
    options.choices = choices;
    const Searched alone = run_search(program, "fair-cycle", "round-robin", options, params);
    options.jobs = 2;
    const Searched both = run_search(program, "fair-cycle", "round-robin", options, params);
    ASSERT_EQ(both.findings.empty(), alone.findings.empty());
    ASSERT_EQ(both.outcome.live, alone.outcome.live);
    if (alone.outcome.live) {
      ASSERT_EQ(both.totals.states, alone.totals.states);
      ASSERT_EQ(both.totals.transitions, alone.totals.transitions);
    } else if (choices == LoopChoices::kDemonic) {  // with fair choices such a loop has thousands of steps, and need not be complete
      ASSERT_EQ(wrong_with(program.graph(), both.findings.at(0), options), "");
    }
    (alone.outcome.live ? proofs : bugs) += 1;
  }
  EXPECT_GT(bugs, 5u);
  EXPECT_GT(proofs, 5u);
}

TEST(LivenessOnGraphs, parallel_WorkersBuildTheSameGraph) {
  compare_workers(LoopFairness::kWeak, LoopChoices::kFair, {});
  compare_workers(LoopFairness::kWeak, LoopChoices::kDemonic, {});
}
TEST(LivenessOnGraphs, parallel_WorkersDivideTheSameGraphWithoutFairnessAndWithStrongFairness) {
  compare_workers(LoopFairness::kNone, LoopChoices::kDemonic, {});
  compare_workers(LoopFairness::kStrong, LoopChoices::kDemonic, {});
}
TEST(LivenessOnGraphs, parallel_WorkersShareStrataOfDelays) { compare_workers(LoopFairness::kWeak, LoopChoices::kDemonic, {{"deepen", 1}}); }

TEST(LivenessOnGraphs, AChainOfAMillionAcceptingStatesTakesLinearTime) {
  Graph chain{.states = 1'000'001, .processes = 1, .properties = 1, .edges = {}};
  for (std::uint32_t s = 0; s < 1'000'000; ++s) chain.edges.push_back({s, 0, {}, s + 1, {1, 0}, {}});
  const GraphProgram program(std::move(chain));
  const Searched searched = run_search(program, "fair-cycle");
  EXPECT_TRUE(searched.outcome.live);
  EXPECT_EQ(searched.totals.states, 1'000'001u);
}

TEST(LivenessOnGraphs, WhatWasNotExploredIsNotVerified) {
  Graph loop{.states = 6, .processes = 1, .properties = 1, .edges = {}};
  for (std::uint32_t s = 0; s < 6; ++s) loop.edges.push_back({s, 0, {}, (s + 1) % 6, {1, 0}, {}});
  const GraphProgram program(std::move(loop));
  SearchOptions options;
  options.limits.max_depth = 4;
  options.limits.max_depth_given = true;
  const Searched cut = run_search(program, "fair-cycle", "round-robin", options);
  EXPECT_TRUE(cut.findings.empty());
  EXPECT_FALSE(cut.outcome.complete || cut.outcome.live);
  EXPECT_EQ(cut.outcome.stopped_by, StoppedBy::kBound);
  options.limits.max_depth = 6;
  EXPECT_EQ(run_search(program, "fair-cycle", "round-robin", options).findings.size(), 1u);
  options.limits.max_depth_given = false;
  options.limits.states = 3;
  const Searched few = run_search(program, "fair-cycle", "round-robin", options);
  EXPECT_FALSE(few.outcome.complete || few.outcome.live);
}

/// Two properties that are hot in turn are no bug; one that is hot and cold in one transition is none either.
TEST(LivenessOnGraphs, EachPropertyIsLookedAtByItself) {
  Graph turns{.states = 2, .processes = 1, .properties = 2, .edges = {{0, 0, {}, 1, {1, 2}, {}}, {1, 0, {}, 0, {2, 1}, {}}}};
  EXPECT_TRUE(run_search(GraphProgram(turns), "fair-cycle").outcome.live);
  Graph cools{.states = 1, .processes = 1, .properties = 1, .edges = {{0, 0, {}, 0, {1, 1}, {}}}};
  EXPECT_TRUE(run_search(GraphProgram(cools), "fair-cycle").outcome.live);
  cools.edges[0].marks.cold = 0;
  EXPECT_EQ(run_search(GraphProgram(cools), "fair-cycle").findings.size(), 1u);
}

/// Both properties are hot on the loop. A search by accepting cycles may see the second one first; a replay names the first one.
TEST(LivenessOnGraphs, ALoopIsReportedForTheFirstPropertyThatItViolates) {
  const GraphProgram program(Graph{.states = 2, .processes = 1, .properties = 2, .edges = {{0, 0, {}, 1, {2, 0}, {}}, {1, 0, {}, 0, {1, 0}, {}}}});
  SearchOptions options;
  options.choices = LoopChoices::kDemonic;
  for (const LivenessWay& way : liveness_ways()) {
    const Searched searched = run_search(program, way.search, "round-robin", options, way.params);
    ASSERT_EQ(searched.findings.size(), 1u) << way.search;
    EXPECT_EQ(searched.findings[0].message, endless_message(program.properties()[0])) << way.search;
  }
}

/// Process 0 comes to a hot loop in five steps, and from there by a long way back to the start. Process 1 makes `more` states just behind the loop: many of them lead to a first look at
/// the graph before the way back is known.
Graph loop_with_a_way_back(std::uint32_t more) {
  Graph out{.states = 50, .processes = 2, .properties = 1, .edges = {{5, 1, {}, 5, {1, 0}, {}}}};
  for (std::uint32_t s = 0; s < 50; ++s) out.edges.push_back({s, 0, {}, (s + 1) % 50, {}, {}});
  for (std::uint32_t value = 0; value < more; ++value) out.edges.push_back({6, 1, {value}, out.states++, {}, {}});
  return out;
}

TEST(LivenessOnGraphs, AStemIsTheShortestInTheGraphThatIsKnown) {
  const auto loop_starts = [](std::uint32_t more) {
    SearchOptions options;
    options.choices = LoopChoices::kDemonic;
    options.fairness = LoopFairness::kNone;
    return run_search(GraphProgram(loop_with_a_way_back(more)), "fair-cycle", "round-robin", options).findings.at(0).loop;
  };
  EXPECT_EQ(loop_starts(10), 1u);     // all states are known: the start is in the component
  EXPECT_EQ(loop_starts(1'100), 6u);  // the loop alone
}

/// A mask hides a process from the graph. It can run all the same, so a cycle without it is not fair.
TEST(LivenessOnGraphs, WhoIsHiddenIsNotDisabled) {
  Graph masked{.states = 1, .processes = 2, .properties = 1, .edges = {{0, 0, {}, 0, {1, 0}, {}}}};
  EXPECT_EQ(run_search(GraphProgram(masked), "fair-cycle").findings.size(), 1u);
  masked.hidden.insert({0, 1});
  EXPECT_TRUE(run_search(GraphProgram(masked), "fair-cycle").outcome.live);
}

}  // namespace
}  // namespace tarry::test
