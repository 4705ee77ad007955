// Liveness searches that deepen by delays: against the oracle, against a transcription of figures 3 to 5, and against each other.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "tests/support/graph_program.h"
#include "tests/support/lasso.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

struct How {
  const char* search;
  ParamValues params;
};
const std::vector<How> kSearches = {{"ndfs", {}}, {"iterative-ndfs", {}}, {"map", {{"newest", 1}}}, {"map", {{"newest", 0}}}, {"fair-cycle", {{"deepen", 1}}}};

SearchOptions without_fairness() {
  SearchOptions options;
  options.fairness = LoopFairness::kNone;
  options.choices = LoopChoices::kDemonic;
  return options;
}

std::uint64_t reachable_edges(const Graph& graph) {
  const auto seen = reachable(graph);
  return static_cast<std::uint64_t>(std::count_if(graph.edges.begin(), graph.edges.end(), [&](const GraphEdge& e) { return seen.contains(e.from); }));
}

TEST(LivenessByDelays, AllSearchesAndExplorersAgreeWithTheOracle) {
  std::uint64_t bugs = 0, proofs = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const GraphProgram program(random_graph(seed, {.most_edges = seed % 4 == 0 ? 10u : 60u, .resolved = false, .masks = false}));
    const SearchOptions options = without_fairness();
    const bool bad = !run_search(program, "fair-cycle", "round-robin", options).findings.empty();  // which is held against all sets of edges elsewhere
    if (seed % 4 == 0) {
      ASSERT_EQ(bad, violated(program.graph(), options.fairness, options.choices) != 0);
    }
    for (const How& how : kSearches)
      for (const auto& explorer : Registry<Explorer>::all()) {
        SCOPED_TRACE(testing::Message() << how.search << " " << explorer.name << " seed " << seed);
        const Searched searched = run_search(program, how.search, explorer.name, options, how.params);
        ASSERT_EQ(searched.findings.size(), bad ? 1u : 0u);
        ASSERT_EQ(searched.outcome.live, !bad);
        if (bad) {
          ASSERT_EQ(wrong_with(program.graph(), searched.findings[0], options), "");
        } else {
          ASSERT_EQ(searched.totals.states, reachable(program.graph()).size());
          ASSERT_EQ(searched.totals.transitions, reachable_edges(program.graph()));  // each exactly once, over all bounds
        }
        (bad ? bugs : proofs) += 1;
      }
  }
  EXPECT_GT(bugs, 1000u);
  EXPECT_GT(proofs, 1000u);
}

/// Figure 2: the cycle 3, 2, 1 has an accepting edge from 2 to 1; the accepting edge from 4 to 3 hides it from the first calculation if 3 comes last in the order.
TEST(LivenessByDelays, FigureTwoNeedsRefinement) {
  Graph figure{.states = 4, .processes = 1, .properties = 1, .edges = {{0, 0, {}, 1, {1, 0}, {}}, {1, 0, {}, 2, {}, {}}, {2, 0, {}, 3, {1, 0}, {}}, {3, 0, {}, 1, {}, {}}}};
  const GraphProgram program(figure);  // 0, 1, 2, 3 are the figure's 4, 3, 2, 1
  for (const How& how : kSearches) {
    const Searched searched = run_search(program, how.search, "round-robin", without_fairness(), how.params);
    ASSERT_EQ(searched.findings.size(), 1u) << how.search;
    const bool refines = std::any_of(searched.outcome.notes.begin(), searched.outcome.notes.end(), [](const std::string& note) { return note.starts_with("refinement took") && note.ends_with("in 1 round"); });
    EXPECT_EQ(refines, how.params.contains("newest") && how.params.at("newest") == 0);
  }
  figure.edges[2].marks = {};
  EXPECT_TRUE(run_search(GraphProgram(figure), "map", "round-robin", without_fairness(), {{"newest", 0}}).outcome.live);
}

TEST(LivenessByDelays, AChainOfAMillionAcceptingStatesTakesLinearTime) {
  Graph chain{.states = 1'000'001, .processes = 1, .properties = 1, .edges = {}};
  for (std::uint32_t s = 0; s < 1'000'000; ++s) chain.edges.push_back({s, 0, {}, s + 1, {1, 0}, {}});
  const GraphProgram program(std::move(chain));
  for (const How& how : kSearches) EXPECT_TRUE(run_search(program, how.search, "round-robin", without_fairness(), how.params).outcome.live) << how.search;
}

/// Figures 3, 4 and 5, word for word, for graphs without data choices and with one property that is never cold.
class Figures {
 public:
  Figures(const GraphProgram& program, const Explorer& explorer, std::uint64_t last) : program_(program), graph_(program.graph()), explorer_(explorer), space_(program.open()), last_(last) {}

  /// IterativeCycleDetection, up to the last bound. True: exit(Yes).
  bool run() {
    const Survey first = survey(0);
    map_[0] = kNull;
    h_.emplace(0, H{explorer_.initial(first.alive()), 0});
    std::vector<std::uint32_t> frontier{0};
    for (bound_ = 0; !frontier.empty() && bound_ <= last_ && !yes_; ++bound_) {
      frontier_.clear();
      in_frontier_.clear();
      for (const std::uint32_t s : frontier)
        if (!yes_) calculate(s);
      const auto kept = map_;
      while (!yes_) {
        std::set<std::int64_t> roots;
        for (const auto& [s, m] : map_) roots.insert(m);
        roots.erase(kNull);
        if (roots.empty()) break;
        const std::int64_t root = *roots.begin();
        roots.erase(root);
        map_[static_cast<std::uint32_t>(root)] = kNull;
        refine(static_cast<std::uint32_t>(root), root, roots);
      }
      map_ = kept;
      frontier = frontier_;
    }
    return yes_;
  }
  std::size_t states() const { return h_.size(); }
  std::size_t transitions() const { return taken_.size(); }
  Graph subgraph() const {
    Graph out = graph_;
    std::erase_if(out.edges, [&](const GraphEdge& e) { return std::none_of(taken_.begin(), taken_.end(), [&](const GraphEdge* taken) { return taken->from == e.from && taken->process == e.process; }); });
    return out;
  }

 private:
  static constexpr std::int64_t kNull = -1;
  struct H {
    Memo d;
    std::uint64_t n;
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

  void calculate(std::uint32_t s) {
    const Survey here = survey(s);
    Memo d = h_.at(s).d;
    std::uint64_t n = h_.at(s).n;
    for (std::uint32_t i = 0; i < here.open().size() && !yes_; ++i) {
      if (n > bound_) {
        if (in_frontier_.insert(s).second) frontier_.push_back(s);
        break;
      }
      const GraphEdge& e = edge(s, explorer_.next(d, here.open()));
      taken_.insert(&e);
      const bool accepting = e.marks.hot != 0;
      if (accepting && map_[s] == e.to) return void(yes_ = true);
      if (!h_.contains(e.to)) {
        h_.emplace(e.to, H{step(s, d, e), n});
        order_.push_back(e.to);
      }
      const std::int64_t p = accepting && map_[s] < e.to ? std::int64_t{e.to} : map_[s];
      if (!map_.contains(e.to) || map_[e.to] < p) {
        map_[e.to] = p;
        calculate(e.to);
      }
      d = explorer_.delay(d, here.open());
      ++n;
    }
  }

  /// With epochs: `map(s') = root` of the figure stands for "not visited".
  void refine(std::uint32_t s, std::int64_t root, const std::set<std::int64_t>& roots) {
    const Survey here = survey(s);
    Memo d = h_.at(s).d;
    std::uint64_t n = h_.at(s).n;
    for (std::uint32_t i = 0; i < here.open().size() && n <= bound_ && !yes_; ++i) {
      const GraphEdge& e = edge(s, explorer_.next(d, here.open()));
      if (!roots.contains(map_[e.to])) {
        const bool accepting = e.marks.hot != 0;
        if (accepting && map_[s] == e.to) return void(yes_ = true);
        const std::int64_t p = accepting && map_[s] < e.to ? std::int64_t{e.to} : map_[s];
        if (map_[e.to] == root || map_[e.to] < p) {
          map_[e.to] = p;
          refine(e.to, root, roots);
        }
      }
      d = explorer_.delay(d, here.open());
      ++n;
    }
  }

  const GraphProgram& program_;
  const Graph& graph_;
  const Explorer& explorer_;
  std::unique_ptr<StateSpace> space_;
  std::uint64_t last_;
  std::uint64_t bound_ = 0;
  std::map<std::uint32_t, std::int64_t> map_;
  std::map<std::uint32_t, H> h_;
  std::vector<std::uint32_t> order_, frontier_;
  std::set<std::uint32_t> in_frontier_;
  std::set<const GraphEdge*> taken_;
  bool yes_ = false;
};

/// The order on states must be that of the search, which is the order of discovery: so the transcription runs on a graph with states numbered that way.
Graph numbered_as_found(const Graph& graph, const std::string& explorer) {
  std::map<std::uint32_t, std::uint32_t> number;
  Record record;
  const GraphProgram program(graph);
  std::vector<std::uint32_t> order;
  struct Watching final : Program {
    const GraphProgram& inner;
    std::vector<std::uint32_t>& found;
    Watching(const GraphProgram& p, std::vector<std::uint32_t>& o) : inner(p), found(o) {}
    const Shape& shape() const override { return inner.shape(); }
    std::unique_ptr<Narrator> narrator() const override { return inner.narrator(); }
    std::vector<Property> properties() const override { return inner.properties(); }
    std::unique_ptr<StateSpace> open() const override {
      struct Space final : StateSpace {
        std::unique_ptr<StateSpace> inner;
        std::vector<std::uint32_t>& found;
        Space(std::unique_ptr<StateSpace> s, std::vector<std::uint32_t>& o) : inner(std::move(s)), found(o) {}
        StepText initial(Word* words) override { return inner->initial(words); }
        void expand(StateView s, abi::Expansion& out) override { inner->expand(s, out); }
        void survey(StateView s, Survey& out) override {
          if (std::find(found.begin(), found.end(), s[0]) == found.end()) found.push_back(s[0]);
          inner->survey(s, out);
        }
        void take(StateView s, ProcessId p, std::span<const std::uint32_t> v, abi::Taken& out) override { inner->take(s, p, v, out); }
        const abi::Cursor& cursor() const override { return inner->cursor(); }
      };
      return std::make_unique<Space>(inner.open(), found);
    }
  };
  run_search(Watching(program, order), "map", explorer, without_fairness(), {{"newest", 1}});
  for (std::uint32_t s = 0; s < graph.states; ++s)
    if (std::find(order.begin(), order.end(), s) == order.end()) order.push_back(s);
  for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  Graph out = graph;
  for (GraphEdge& e : out.edges) e.from = number[e.from], e.to = number[e.to];
  return out;
}

TEST(LivenessByDelays, EveryBoundIsThatOfTheFigures) {
  std::uint64_t compared = 0, found = 0;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    Graph graph = random_graph(seed, {.most_states = 14, .most_processes = 3, .most_edges = 45, .values = false, .masks = false});
    graph.properties = 1;
    for (GraphEdge& e : graph.edges) e.marks = {e.marks.hot & 1 & (e.marks.cold == 0 ? 1u : 0u), 0};
    for (const auto& entry : Registry<Explorer>::all()) {
      if (entry.name == "priority" || entry.name == "run-to-completion") continue;  // the others are different enough
      SCOPED_TRACE(testing::Message() << entry.name << " seed " << seed);
      const GraphProgram program(numbered_as_found(graph, entry.name));
      const auto explorer = entry.kind.make(1);
      for (std::uint64_t bound = 0; bound < 8; ++bound) {
        SearchOptions options = without_fairness();
        options.limits.max_delays = bound;
        const Searched searched = run_search(program, "map", entry.name, options, {{"newest", 1}});
        Figures figures(program, *explorer, bound);
        const bool yes = figures.run();
        ASSERT_EQ(!searched.findings.empty(), yes) << "bound " << bound;
        ASSERT_EQ(has_hot_cycle(figures.subgraph()), yes) << "bound " << bound;
        if (yes) {
          ++found;
          break;
        }
        ASSERT_EQ(searched.totals.states, figures.states()) << "bound " << bound;
        ASSERT_EQ(searched.totals.transitions, figures.transitions()) << "bound " << bound;
        ++compared;
        if (searched.outcome.complete) break;
      }
    }
  }
  EXPECT_GT(compared, 300u);
  EXPECT_GT(found, 100u);
}

/// Process 0 goes round in `ring` states; process 1 counts for ever, and costs a delay each time (explorer priority). From a count on, going round is hot.
class Counting final : public Program {
 public:
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};
  Counting(std::uint32_t ring, std::uint32_t hot_from) : ring_(ring), hot_from_(hot_from) {}
  const Shape& shape() const override { return shape_; }
  std::unique_ptr<Narrator> narrator() const override { return GraphProgram(Graph{}).narrator(); }
  std::vector<Property> properties() const override { return {{"calm", "it stays hot"}}; }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<Space>(*this); }

 private:
  class Space final : public StateSpace {
   public:
    explicit Space(const Counting& all) : all_(all) {}
    StepText initial(Word* words) override { return words[0] = 0, StepText{}; }
    void expand(StateView, abi::Expansion&) override {}
    void survey(StateView, Survey& out) override {
      std::fill(out.bits().begin(), out.bits().end(), 0);
      out.bits()[0] = out.bits()[out.longs()] = 3;
      out.sealed_by = 0;
    }
    void take(StateView s, ProcessId p, std::span<const std::uint32_t>, abi::Taken& out) override {
      const std::uint32_t count = s[0] / all_.ring_, at = s[0] % all_.ring_;
      const bool hot = p == ProcessId{0} && at == 0 && count >= all_.hot_from_;
      out = {.words = out.words, .outcome = abi::Outcome::kMoved, .arity = 0, .flags = 0, .marks = {hot ? 1u : 0u, 0}, .resolved = {}, .sent_count = 0, .order_count = 0, .sent = {}, .order = {}, .cursor = {}};
      out.words[0] = p == ProcessId{0} ? count * all_.ring_ + (at + 1) % all_.ring_ : s[0] + all_.ring_;
    }
    const abi::Cursor& cursor() const override { return cursor_; }

   private:
    const Counting& all_;
    abi::Cursor cursor_{};
  };
  std::uint32_t ring_, hot_from_;
  Shape shape_{1, 32, 2, false};
};

/// Theorem 2 beyond finite programs. Each stratum is finite: at bound n there are n + 1 counts. The cycle is found at the bound at which it can be reached, and at no smaller one.
TEST(LivenessByDelays, parallel_ReactiveProgramsWithInfinitelyManyStatesHaveFiniteStrata) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const std::uint32_t ring = 1 + seed % 5, hot_from = seed % 4 == 3 ? Counting::kNever : seed % 12;
    const Counting program(ring, hot_from);
    for (const char* search : {"map", "iterative-ndfs", "fair-cycle"})
      for (const std::uint32_t jobs : {1u, 2u}) {
        SCOPED_TRACE(testing::Message() << search << " ring " << ring << " hot from " << hot_from << " jobs " << jobs);
        SearchOptions options = without_fairness();
        options.jobs = jobs;
        const ParamValues deepen = search == std::string("fair-cycle") ? ParamValues{{"deepen", 1}} : ParamValues{};
        for (std::uint64_t bound = 0; bound < 14; ++bound) {
          options.limits.max_delays = bound;
          const Searched part = run_search(program, search, "priority", options, deepen);
          const bool bad = bound >= hot_from;
          ASSERT_EQ(part.findings.size(), bad ? 1u : 0u) << "bound " << bound;
          if (bad) break;
          ASSERT_EQ(part.outcome.stopped_by, StoppedBy::kBound) << "bound " << bound;
          ASSERT_EQ(part.totals.states, (bound + 1) * ring) << "bound " << bound;
        }
        if (hot_from == Counting::kNever) continue;
        options.limits.max_delays.reset();
        ASSERT_EQ(run_search(program, search, "priority", options, deepen).findings.size(), 1u);
      }
  }
}

}  // namespace
}  // namespace tarry::test
