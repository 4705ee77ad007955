// At every bound iterative-ndfs and fair-cycle walk the subgraph of a plain recursion, and say what an oracle says of that subgraph. (map: liveness_deepening_test.cc.)
//
// The recursions below are written from figures 1 and 4 and section 4.2 of Desai, Qadeer, Rajamani (MSR-TR-2015-28), without a stack, a store or edges that are kept. They do not
// look for cycles: the oracle does, when the subgraph is there.
#include <gtest/gtest.h>

#include <map>

#include "tests/support/fewer.h"
#include "tests/support/graph_program.h"
#include "tests/support/lasso.h"
#include "tests/support/liveness_ways.h"
#include "tests/support/recorded_graph.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

/// What an execution guesses and waits for, as nested DFS sees it: the property that it violates, and the obligations of a fair violation in turn.
struct Guesses {
  std::uint32_t properties = 0;  // none: the walk is on states alone
  bool weak = false;
};

/// The subgraph that costs at most some delays, for graphs without data choices.
class Recursion {
 public:
  Recursion(const GraphProgram& program, const Explorer& explorer, Guesses guesses)
      : program_(program), graph_(program.graph()), explorer_(explorer), guesses_(guesses), space_(program.open()) {
    h_.emplace(0, H{explorer_.initial(survey(0).alive()), 0});
  }

  /// Section 4.2: the depth-first search of nested DFS starts from the initial state at every bound, with an empty table of visited states. H keeps the first visit, as in figure 4.
  void restart(std::uint64_t bound) {
    bound_ = bound;
    visited_.clear();
    cut_.clear();
    visit({0, 0, 0});
  }
  /// Figures 3 and 4 without `map`: the walk goes on from the states of the frontier.
  void go_on(std::uint64_t bound) {
    bound_ = bound;
    const std::vector<Node> frontier = bound == 0 ? std::vector<Node>{{0, 0, 0}} : cut_;
    visited_.insert({0, 0, 0});
    cut_.clear();
    for (const Node& node : frontier) walk(node);
  }

  bool complete() const { return cut_.empty(); }
  std::size_t states() const { return h_.size(); }
  std::size_t transitions() const { return taken_.size(); }
  /// The transitions that were taken. A process whose transition was not taken can run all the same.
  Graph subgraph() const {
    Graph out = graph_;
    out.edges.clear();
    for (const GraphEdge& e : graph_.edges) {
      if (taken_.contains(&e)) out.edges.push_back(e);
      else out.hidden.insert({e.from, e.process});
    }
    return out;
  }

 private:
  struct H {
    Memo d;
    std::uint64_t n;
  };
  struct Node {
    std::uint32_t state;
    std::uint32_t guess;    // 0: none yet; i + 1: property i is violated
    std::uint32_t awaited;  // with weak fairness: 0: a hot edge; p + 1: a step of process p, or a state in which it cannot run
    friend auto operator<=>(const Node&, const Node&) = default;
  };

  Survey survey(std::uint32_t state) {
    Survey out(program_.shape().processes);
    const Word word = state;
    space_->survey({&word, 1}, out);
    return out;
  }
  const GraphEdge& edge(std::uint32_t s, ProcessId p) const {
    return *std::find_if(graph_.edges.begin(), graph_.edges.end(), [&](const GraphEdge& e) { return e.from == s && e.process == index(p); });
  }
  Memo step(std::uint32_t s, const Memo& d, const GraphEdge& e) {
    Taken taken(1);
    const Word word = s;
    space_->take({&word, 1}, ProcessId{e.process}, {}, taken);
    const Survey before = survey(s), after = survey(e.to);
    return explorer_.step(d, step_between(ProcessId{e.process}, before, after, taken));
  }

  bool met(std::uint32_t awaited, const Node& node, const GraphEdge& e) const {
    if (awaited == 0) return (e.marks.hot >> (node.guess - 1) & 1) != 0;
    return e.process == awaited - 1 || !graph_.enabled(node.state, awaited - 1);
  }
  Node behind(const Node& node, const GraphEdge& e) const {
    std::uint32_t awaited = node.awaited;
    if (guesses_.weak && node.guess != 0)
      while (awaited <= graph_.processes && met(awaited, node, e)) ++awaited;
    return {e.to, node.guess, awaited > graph_.processes ? 0 : awaited};
  }

  void visit(const Node& node) {
    if (visited_.insert(node).second) walk(node);
  }
  void walk(const Node& node) {
    if (node.guess == 0)
      for (std::uint32_t i = 0; i < guesses_.properties; ++i) visit({node.state, i + 1, 0});
    const Survey here = survey(node.state);
    auto [d, n] = h_.at(node.state);
    for (std::uint32_t i = 0; i < here.open().size(); ++i) {
      if (n > bound_) {
        cut_.push_back(node);
        return;
      }
      const GraphEdge& e = edge(node.state, explorer_.next(d, here.open()));
      taken_.insert(&e);
      if (!h_.contains(e.to)) h_.emplace(e.to, H{step(node.state, d, e), n});
      const bool cold = node.guess != 0 && (e.marks.cold >> (node.guess - 1) & 1) != 0;
      if (!cold) visit(behind(node, e));
      d = explorer_.delay(d, here.open());
      ++n;
    }
  }

  const GraphProgram& program_;
  const Graph& graph_;
  const Explorer& explorer_;
  const Guesses guesses_;
  std::unique_ptr<StateSpace> space_;
  std::uint64_t bound_ = 0;
  std::map<std::uint32_t, H> h_;
  std::set<Node> visited_;
  std::vector<Node> cut_;
  std::set<const GraphEdge*> taken_;
};

enum class Start { kAgain, kFrontier };
struct Compared {
  std::uint64_t bounds = 0, beyond_the_first = 0, bugs = 0, proofs = 0;
};

/// Every bound, up to the one with a cycle or to the end. Small graphs go to the oracle that tries all sets of edges.
void compare(const GraphProgram& program, const Entry<Explorer>& entry, const std::string& search, Start start, SearchOptions options, Compared& compared) {
  const auto explorer = entry.kind.make(1);
  // What fair-cycle walks does not depend on properties.
  const Guesses guesses{start == Start::kAgain ? program.graph().properties : 0, options.fairness == LoopFairness::kWeak};
  Recursion recursion(program, *explorer, guesses);
  const ParamValues params = search == "fair-cycle" ? ParamValues{{"deepen", 1}} : ParamValues{};
  for (std::uint64_t bound = 0; bound < 40; ++bound) {
    SCOPED_TRACE(testing::Message() << search << " " << entry.name << " bound " << bound);
    start == Start::kAgain ? recursion.restart(bound) : recursion.go_on(bound);
    const Graph part = recursion.subgraph();
    const bool bad = options.fairness == LoopFairness::kNone ? has_hot_cycle(part) : violated(part, options.fairness, options.choices) != 0;
    options.limits.max_delays = bound;
    const Searched searched = run_search(program, search, entry.name, options, params);
    ASSERT_EQ(searched.findings.size(), bad ? 1u : 0u);
    compared.beyond_the_first += bound > 0 ? 1 : 0;
    ++compared.bounds;
    if (bad) {
      ASSERT_EQ(wrong_with(part, searched.findings[0], options), "");
      ++compared.bugs;
      return;
    }
    ASSERT_EQ(searched.totals.states, recursion.states());
    ASSERT_EQ(searched.totals.transitions, recursion.transitions());
    ASSERT_EQ(searched.outcome.complete, recursion.complete());
    ASSERT_EQ(searched.outcome.live, recursion.complete());
    if (recursion.complete()) {
      ++compared.proofs;
      return;
    }
  }
  FAIL() << "forty delays are enough for these graphs";
}

void compare_all(const std::string& search, Start start, std::uint64_t graphs, const GraphFeatures& shape, const std::vector<LoopFairness>& kinds) {
  Compared compared;
  for (std::uint64_t seed = 0; seed < graphs && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Graph graph = random_graph(seed, shape);
    if (graph.states > 20)
      for (GraphEdge& e : graph.edges) {
        if (e.from % 5 != 0) e.marks.hot = 0;  // few cycles are hot, so that they need delays
        if (seed % 2 == 0 && e.to <= e.from && e.to % 3 == 0) e.marks.cold = 3;
      }
    const GraphProgram program(std::move(graph));
    for (const LoopFairness fairness : kinds)
      for (const auto& entry : Registry<Explorer>::all()) {
        SearchOptions options;
        options.fairness = fairness;
        options.choices = LoopChoices::kDemonic;
        compare(program, entry, search, start, options, compared);
      }
  }
  EXPECT_GT(compared.bounds, 4 * graphs);
  EXPECT_GT(compared.beyond_the_first, graphs);
  EXPECT_GT(compared.bugs, graphs);
  EXPECT_GT(compared.proofs, graphs / 2);
}

constexpr GraphFeatures kSmall{.values = false}, kLarger{.most_states = 60, .most_processes = 3, .most_edges = 200, .values = false, .masks = false};

TEST(LivenessAtEveryBound, IterativeNdfsWalksTheSubgraphOfARecursion) { compare_all("iterative-ndfs", Start::kAgain, 120, kLarger, {LoopFairness::kNone}); }
TEST(LivenessAtEveryBound, IterativeNdfsWithCopiesWalksTheSubgraphOfARecursion) {
  compare_all("iterative-ndfs", Start::kAgain, 250, kSmall, {LoopFairness::kNone, LoopFairness::kWeak});
}
TEST(LivenessAtEveryBound, FairCycleWalksTheSubgraphOfARecursion) { compare_all("fair-cycle", Start::kFrontier, 120, kLarger, {LoopFairness::kNone}); }
TEST(LivenessAtEveryBound, FairCycleSaysWhatAllSetsOfEdgesSay) { compare_all("fair-cycle", Start::kFrontier, 250, kSmall, {LoopFairness::kWeak, LoopFairness::kStrong}); }

/// At every bound a search says of the part of the graph that it walked what all sets of its edges say. One combination for each graph, in turn.
TEST(LivenessAtEveryBound, parallel_EverySearchSaysWhatAllSetsOfWalkedEdgesSay) {
  std::vector<LivenessCombination> all = liveness_combinations();
  std::erase_if(all, [](const LivenessCombination& how) { return !how.way.has_delta || how.choices != LoopChoices::kDemonic; });  // beyond a bound a fair choice leaves the part
  Compared compared;
  for (std::uint64_t seed = 0; seed < fewer(1'500u); ++seed) {
    LivenessCombination how = all[seed % all.size()];
    const std::uint64_t delta = how.way.params["delta"] = static_cast<std::int64_t>(1 + seed / all.size() % 2);
    const GraphProgram program(random_graph(seed, {.most_states = 8, .most_edges = 12, .resolved = false}));
    SearchOptions options = options_of(how, seed);
    options.choice_cost = seed % 3 == 0 ? ChoiceCost::kUnit : ChoiceCost::kValue;
    for (std::uint64_t bound = 0; bound < 12; bound += delta) {
      SCOPED_TRACE(testing::Message() << how.text() << ", seed " << seed << ", bound " << bound);
      const RecordedGraph recorded(program);
      options.limits.max_delays = bound;
      const Searched searched = run_search(recorded, how.way.search, how.explorer, options, how.way.params);
      const Graph part = recorded.part();
      const bool bad = violated(part, options.fairness, options.choices) != 0;
      ASSERT_EQ(searched.findings.size(), bad ? 1u : 0u);
      ++compared.bounds;
      compared.beyond_the_first += bound > 0 ? 1 : 0;
      if (bad) {
        ASSERT_EQ(wrong_with(part, searched.findings[0], options), "");
        ++compared.bugs;
        break;
      }
      ASSERT_EQ(searched.totals.states, reachable(part).size());
      ASSERT_EQ(searched.totals.transitions, part.edges.size());
      const bool complete = part.edges.size() == reachable_edges(program.graph());
      ASSERT_EQ(searched.outcome.live, complete);
      ASSERT_EQ(searched.outcome.stopped_by == StoppedBy::kBound, !complete);
      if (complete) {
        ++compared.proofs;
        break;
      }
    }
  }
  EXPECT_GT(compared.beyond_the_first, fewer(300u));
  EXPECT_GT(compared.bugs, fewer(300u));
  EXPECT_GT(compared.proofs, fewer(300u));
}

}  // namespace
}  // namespace tarry::test
