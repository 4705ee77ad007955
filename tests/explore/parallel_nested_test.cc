// Nested depth-first search by several workers: verdicts against oracles, lassos against the definition of a violation, and the
// graph that was walked, in the end and at every bound.
#include <gtest/gtest.h>

#include "explore/liveness/nested_marks.h"
#include "tests/support/graph_program.h"
#include "tests/support/lasso.h"
#include "tests/support/recorded_graph.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

constexpr const char* kSearches[] = {"ndfs", "iterative-ndfs"};

SearchOptions options_for(LoopFairness fairness, std::uint32_t jobs) {
  SearchOptions options;
  options.fairness = fairness;
  options.choices = LoopChoices::kDemonic;
  options.jobs = jobs;
  return options;
}

struct Compared {
  std::uint64_t bugs = 0, proofs = 0;
};

void expect_both(const Compared& compared, std::uint64_t least) {
  EXPECT_GT(compared.bugs, least);
  EXPECT_GT(compared.proofs, least);
}

/// Runs a search to its end. `bad`: some endless execution is a violation.
void compare(const GraphProgram& program, const char* search, const std::string& explorer, const SearchOptions& options, bool bad,
             Compared& compared) {
  SCOPED_TRACE(testing::Message() << search << " with " << explorer << ", fairness " << static_cast<int>(options.fairness)
                                  << ", jobs " << options.jobs);
  const Searched searched = run_search(RecordedGraph(program), search, explorer, options);
  ASSERT_EQ(searched.findings.size(), bad ? 1u : 0u);
  ASSERT_EQ(searched.outcome.live, !bad);
  ASSERT_EQ(searched.outcome.complete, !bad);
  (bad ? compared.bugs : compared.proofs) += 1;
  if (bad) {
    ASSERT_EQ(wrong_with(program.graph(), searched.findings[0], options), "");
  } else {
    ASSERT_EQ(searched.totals.states, reachable(program.graph()).size());
    ASSERT_EQ(searched.totals.transitions, reachable_edges(program.graph()));
  }
}

/// Small graphs with two properties, against all sets of edges.
void compare_small(std::uint64_t first, std::uint64_t graphs, std::uint32_t jobs) {
  Compared compared;
  const auto& explorers = Registry<Explorer>::all();
  for (std::uint64_t seed = first; seed < first + graphs && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GraphProgram program(random_graph(seed, {.resolved = false}));
    const auto explorer = std::next(explorers.begin(), static_cast<std::ptrdiff_t>(seed % explorers.size()));
    for (const LoopFairness fairness : {LoopFairness::kNone, LoopFairness::kWeak}) {
      const bool bad = violated(program.graph(), fairness, LoopChoices::kDemonic) != 0;
      for (const char* search : kSearches) compare(program, search, explorer->name, options_for(fairness, jobs), bad, compared);
    }
  }
  expect_both(compared, graphs / 2);
}

TEST(ParallelNested, AgreesWithAllSetsOfEdgesOnTwoWorkers) { compare_small(1'000, 1'000, 2); }
TEST(ParallelNested, AgreesWithAllSetsOfEdgesOnFourWorkers) { compare_small(2'000, 1'000, 4); }
TEST(ParallelNested, parallel_AgreesWithAllSetsOfEdges) { compare_small(3'000, 60, 2); }

/// Graphs in which cycles are few: what goes round is mostly cold somewhere.
Graph with_few_cycles(std::uint64_t seed, const GraphFeatures& shape) {
  Graph graph = random_graph(seed, shape);
  for (GraphEdge& e : graph.edges) {
    if (seed % 4 != 0) e.marks.cold |= e.to <= e.from && (seed % 4 == 1 || e.to % 7 != 0) ? 3u : 0u;
    if (e.from % 5 != 0) e.marks.hot = 0;
  }
  return graph;
}

/// Graphs of dozens and thousands of states, against fair-cycle.
void compare_larger(std::uint64_t graphs, const GraphFeatures& shape, const std::vector<std::uint32_t>& jobs,
                    std::uint64_t least) {
  Compared compared;
  for (std::uint64_t seed = 0; seed < graphs && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GraphProgram program(with_few_cycles(seed, shape));
    for (const LoopFairness fairness : {LoopFairness::kNone, LoopFairness::kWeak}) {
      const bool bad = !run_search(program, "fair-cycle", "round-robin", options_for(fairness, 1)).findings.empty();
      for (const char* search : kSearches)
        for (const std::uint32_t n : jobs)
          compare(program, search, seed % 2 == 0 ? "round-robin" : "random", options_for(fairness, n), bad, compared);
    }
  }
  expect_both(compared, least);
}

constexpr GraphFeatures kDozens{.most_states = 60, .most_processes = 3, .most_edges = 300, .resolved = false};
constexpr GraphFeatures kThousands{.most_states = 3'000, .most_processes = 3, .most_edges = 200'000, .resolved = false};

TEST(ParallelNested, AgreesWithComponentsOnDozensOfStates) { compare_larger(400, kDozens, {2, 4}, 400); }
TEST(ParallelNested, parallel_AgreesWithComponentsOnThousandsOfStates) { compare_larger(10, kThousands, {2, 3}, 5); }

/// At every bound the verdict is that of the part of the graph that was walked, whichever part it was.
void compare_bounds(std::uint64_t graphs, const GraphFeatures& shape, std::uint32_t jobs) {
  Compared compared;
  std::uint64_t open = 0;
  for (std::uint64_t seed = 0; seed < graphs && !testing::Test::HasFatalFailure(); ++seed) {
    const GraphProgram program(with_few_cycles(seed, shape));
    for (const LoopFairness fairness : {LoopFairness::kNone, LoopFairness::kWeak})
      for (std::uint64_t bound = 0; bound < 6; ++bound) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << " fairness " << static_cast<int>(fairness) << " bound " << bound);
        const RecordedGraph recorded(program);
        SearchOptions options = options_for(fairness, jobs);
        options.limits.max_delays = bound;
        const Searched searched = run_search(recorded, "iterative-ndfs", seed % 2 == 0 ? "priority" : "round-robin", options);
        const GraphProgram part(recorded.part());
        const bool bad = !run_search(part, "fair-cycle", "round-robin", options_for(fairness, 1)).findings.empty();
        ASSERT_EQ(searched.findings.size(), bad ? 1u : 0u);
        if (bad) {
          ASSERT_EQ(wrong_with(part.graph(), searched.findings[0], options), "");
          ++compared.bugs;
          break;
        }
        ASSERT_EQ(searched.totals.states, reachable(part.graph()).size());
        ASSERT_EQ(searched.totals.transitions, part.graph().edges.size());
        const bool all = part.graph().edges.size() == reachable_edges(program.graph());
        ASSERT_EQ(searched.outcome.live, all);
        ASSERT_EQ(searched.outcome.stopped_by == StoppedBy::kBound, !all);
        ++(all ? compared.proofs : open);
        if (all) break;
      }
  }
  expect_both(compared, graphs / 5);
  EXPECT_GT(open, graphs / 2);
}

constexpr GraphFeatures kWithoutValues{
    .most_states = 60, .most_processes = 3, .most_edges = 200, .values = false, .masks = false};

TEST(ParallelNested, EveryBoundHasTheVerdictOfWhatWasWalked) {
  compare_bounds(200, kWithoutValues, 2), compare_bounds(200, kWithoutValues, 4);
}
TEST(ParallelNested, parallel_EveryBoundHasTheVerdictOfWhatWasWalked) { compare_bounds(30, kWithoutValues, 2); }

/// One worker comes by state 1 to the cycle of 2 and 3 while the other one is still behind 2: it must not make 2 red before the
/// other one has searched from there.
TEST(ParallelNested, parallel_ACycleIsNotMadeRedBeforeItIsSearched) {
  for (std::uint32_t round = 0; round < 60; ++round) {
    const std::uint32_t chain = 40 + 2'000 * (round % 8);
    Graph graph{
        .states = 4 + chain,
        .processes = 2,
        .properties = 1,
        .edges = {{0, 0, {}, 2}, {0, 1, {}, 1}, {1, 0, {}, 3, {1, 0}}, {2, 0, {}, 3, {1, 0}}, {2, 1, {}, 4}, {3, 0, {}, 2}}};
    for (std::uint32_t s = 4; s + 1 < graph.states; ++s) graph.edges.push_back({s, 0, {}, s + 1});
    const GraphProgram program(std::move(graph));
    ASSERT_EQ(run_search(program, "ndfs", "round-robin", options_for(LoopFairness::kNone, 2)).findings.size(), 1u) << round;
  }
}

TEST(ParallelNested, parallel_LimitsEndAllWorkers) {
  Graph chain{.states = 200'000, .processes = 2, .properties = 1, .edges = {}};
  for (std::uint32_t s = 0; s + 2 < chain.states; ++s)
    chain.edges.push_back({s, 0, {}, s + 1, {1, 0}}), chain.edges.push_back({s, 1, {}, s + 2, {1, 0}});
  const GraphProgram program(std::move(chain));
  for (const char* search : kSearches) {
    SearchOptions options = options_for(LoopFairness::kNone, 3);
    options.limits.states = 5'000;
    const Searched few = run_search(program, search, "round-robin", options);
    EXPECT_EQ(few.outcome.stopped_by, StoppedBy::kStates);
    EXPECT_FALSE(few.outcome.complete || few.outcome.live);
    options.limits.states.reset();
    options.limits.memory = 1 << 20;
    const Searched narrow = run_search(program, search, "round-robin", options);
    EXPECT_EQ(narrow.outcome.stopped_by, StoppedBy::kMemory);
    EXPECT_FALSE(narrow.outcome.complete || narrow.outcome.live);
  }
}

/// A list as the searches have it.
class List {
 public:
  List(std::initializer_list<int> items) : items_(items) {}
  bool empty() const { return items_.empty(); }
  int back() const { return items_.back(); }
  void pop() { items_.pop_back(); }

 private:
  std::vector<int> items_;
};

TEST(NestedMarks, NothingIsRedBeforeTheSourcesAreSearched) {
  NestedMark::Bits bits[4] = {};
  const auto mark = [&](int node) { return NestedMark(bits[node]); };
  List visited{1, 2, 3}, sources{1, 3};
  int rests = 0;
  const auto rest = [&] {
    for (int node = 0; node < 4; ++node) EXPECT_FALSE(mark(node).has(NestedMark::kRed)) << rests;
    EXPECT_FALSE(mark(0).has(NestedMark::kSearched)) << rests;
    if (++rests == 3) mark(1).add(NestedMark::kSearched);
    if (rests == 5) mark(3).add(NestedMark::kSearched);
    return rests > 10;
  };
  EXPECT_TRUE(end_inner_search(0, visited, sources, mark, rest));
  EXPECT_EQ(rests, 5);
  for (int node = 1; node < 4; ++node) EXPECT_TRUE(mark(node).has(NestedMark::kRed));
  EXPECT_TRUE(mark(0).has(NestedMark::kSearched));
  EXPECT_FALSE(mark(0).has(NestedMark::kRed));
}

TEST(NestedMarks, WhoGivesUpMakesNothingRed) {
  NestedMark::Bits bits[2] = {};
  const auto mark = [&](int node) { return NestedMark(bits[node]); };
  List visited{1}, sources{1};
  EXPECT_FALSE(end_inner_search(0, visited, sources, mark, [] { return true; }));
  EXPECT_EQ(bits[0] | bits[1], 0);
}

}  // namespace
}  // namespace tarry::test
