// Formulas over programs with labels: verdicts against a product with the Büchi automaton, lassos and random executions against the plain evaluator of formulas.
#include <gtest/gtest.h>
#include <tarry/model.h>

#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "cppmodel/formula_program.h"
#include "cppmodel/model_program.h"
#include "ltl/buchi.h"
#include "ltl/formula.h"
#include "ltl/rabin.h"
#include "tests/support/fair_oracle.h"
#include "tests/support/fewer.h"
#include "tests/support/graph_program.h"
#include "tests/support/liveness_ways.h"
#include "tests/support/ltl_words.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

/// A graph whose states have labels a, b and c.
class LabelledGraph final : public LabelledProgram {
 public:
  LabelledGraph(Graph graph, std::vector<std::uint32_t> labels) : inner_(std::move(graph)), labels_(std::move(labels)) {}
  const Shape& shape() const override { return inner_.shape(); }
  std::unique_ptr<StateSpace> open() const override { return inner_.open(); }
  std::unique_ptr<Narrator> narrator() const override { return inner_.narrator(); }
  std::vector<std::string> label_names() const override { return {"a", "b", "c"}; }
  std::unique_ptr<Labeller> labeller() const override {
    struct Tells final : Labeller {
      const std::vector<std::uint32_t>& all;
      explicit Tells(const std::vector<std::uint32_t>& labels) : all(labels) {}
      bool labels(StateView state, std::uint32_t& bits) override { return bits = all[state[0]], true; }
      StepText problem(StateView) override { return {}; }
    };
    return std::make_unique<Tells>(labels_);
  }

 private:
  GraphProgram inner_;
  std::vector<std::uint32_t> labels_;
};

std::string random_formula(SplitMix& random, int depth) {
  if (depth == 0 || random.one_in(5)) return std::string(random.one_in(3) ? "!" : "") + "abc"[random.below(3)];
  const std::string left = random_formula(random, depth - 1);
  switch (random.below(7)) {
    case 0: return "G (" + left + ")";
    case 1: return "F (" + left + ")";
    case 2: return "X (" + left + ")";
    case 3: return "(" + left + ") U (" + random_formula(random, depth - 1) + ")";
    case 4: return "(" + left + ") -> (" + random_formula(random, depth - 1) + ")";
    case 5: return "(" + left + ") && (" + random_formula(random, depth - 1) + ")";
    default: return "(" + left + ") R (" + random_formula(random, depth - 1) + ")";
  }
}

struct Case {
  Graph graph;
  std::vector<std::uint32_t> labels;
  ltl::Formula formula;

  /// The letter of a state: its labels, as atoms of the formula.
  ltl::Letter letter(std::uint32_t state) const {
    ltl::Letter out = 0;
    for (std::size_t i = 0; i < formula.atoms.size(); ++i) out |= ltl::Letter{labels[state] >> (formula.atoms[i][0] - 'a') & 1} << i;
    return out;
  }
  /// Where an execution goes on from a state; at its end it stays.
  std::vector<std::uint32_t> after(std::uint32_t state) const {
    std::vector<std::uint32_t> out;
    for (const GraphEdge& e : graph.edges)
      if (e.from == state) out.push_back(e.to);
    return out.empty() ? std::vector{state} : out;
  }
  bool holds(const std::vector<std::uint32_t>& states, std::size_t loop) const {
    ltl::testing_ltl::Word word{{}, loop};
    for (const std::uint32_t s : states) word.letters.push_back(letter(s));
    return ltl::testing_ltl::holds(formula.formulas, formula.root, word);
  }

  /// Pairs of a state and one of the automaton of the negation: is there an accepting transition that can be come back to?
  bool violated() {
    const auto negation = ltl::automaton(formula.formulas, formula.formulas.negation(formula.root));
    using At = std::pair<std::uint32_t, std::uint32_t>;
    const auto reach = [&](std::set<At> from) {
      std::vector<At> queue(from.begin(), from.end());
      while (!queue.empty()) {
        const At at = queue.back();
        queue.pop_back();
        for (const auto& edge : negation->edges[at.second])
          if (edge.takes(letter(at.first)))
            for (const std::uint32_t to : after(at.first))
              if (from.insert({to, edge.to}).second) queue.push_back({to, edge.to});
      }
      return from;
    };
    for (const At& at : reach({{0, 0}}))
      for (const auto& edge : negation->edges[at.second])
        if (edge.accepting && edge.takes(letter(at.first)))
          for (const std::uint32_t to : after(at.first))
            if (reach({{to, edge.to}}).contains(at)) return true;
    return false;
  }
};

/// The states of a finding's schedule; where its loop starts, or its last state if it ends.
std::vector<std::uint32_t> states_of(const Graph& graph, const Finding& finding, std::size_t& loop) {
  std::vector<std::uint32_t> out{0};
  for (std::size_t i = 0; i < finding.schedule.size();) {
    const std::uint32_t process = finding.schedule[i++].number;
    std::vector<std::uint32_t> values;
    while (i < finding.schedule.size() && finding.schedule[i].kind == Choice::Kind::kValue) values.push_back(finding.schedule[i++].number);
    const auto e = std::find_if(graph.edges.begin(), graph.edges.end(), [&](const GraphEdge& edge) { return edge.from == out.back() && edge.process == process && edge.values == values; });
    if (e == graph.edges.end()) return {};
    out.push_back(e->to);
  }
  loop = out.size() - 1;
  if (finding.loop > 0) {
    loop = finding.loop - 1;
    out.pop_back();  // it is the state where the loop starts
  }
  return out;
}

TEST(FormulasOverModels, AgreeWithTheBuchiProductAndWithThePlainEvaluator) {
  std::uint64_t bugs = 0, proofs = 0, too_large = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SplitMix random(seed);
    Case c{random_graph(seed, {.most_states = 6, .most_processes = 2, .most_edges = 14, .masks = false}), {}, {}};
    c.graph.properties = 0;
    for (GraphEdge& e : c.graph.edges) e.marks = {}, e.resolved = {};
    for (std::uint32_t s = 0; s < c.graph.states; ++s) c.labels.push_back(random.below(8));
    const std::string text = random_formula(random, 3);
    SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << text);
    auto parsed = ltl::parse(text, "--ltl");
    ASSERT_TRUE(parsed);
    c.formula = std::move(*parsed);
    std::sort(c.graph.edges.begin(), c.graph.edges.end());
    const auto program = with_formula(std::make_unique<LabelledGraph>(c.graph, c.labels), text, "--ltl");
    if (!program) {
      ++too_large;
      continue;
    }
    SearchOptions options;
    options.fairness = LoopFairness::kNone;
    options.choices = LoopChoices::kDemonic;
    const bool bad = c.violated();
    for (const char* search : {"fair-cycle", "map", "ndfs"}) {
      const Searched searched = run_search(**program, search, "round-robin", options);
      ASSERT_EQ(!searched.findings.empty(), bad) << search;
      if (!bad) {
        ASSERT_TRUE(searched.outcome.live || (*program)->properties().empty());
        continue;
      }
      std::size_t loop = 0;
      const auto states = states_of(c.graph, searched.findings[0], loop);
      ASSERT_FALSE(states.empty());
      ASSERT_FALSE(c.holds(states, loop)) << search;
    }
    for (int walk = 0; walk < 20 && !bad; ++walk) {  // no random lasso violates what was proven
      std::vector<std::uint32_t> states{0};
      while (states.size() < 12) {
        const auto next = c.after(states.back());
        states.push_back(next[random.below(static_cast<std::uint32_t>(next.size()))]);
      }
      const auto last = states.back();
      const auto first = static_cast<std::size_t>(std::find(states.begin(), states.end(), last) - states.begin());
      if (first + 1 == states.size()) continue;
      states.pop_back();
      ASSERT_TRUE(c.holds(states, first));
    }
    (bad ? bugs : proofs) += 1;
  }
  EXPECT_GT(bugs, 300u);
  EXPECT_GT(proofs, 300u);
  EXPECT_LT(too_large, 50u);
}

/// An automaton of the negation, as moves: the Büchi automaton may guess, the other one is deterministic.
struct Moves {
  struct Move {
    std::uint32_t to;
    abi::Marks marks;
  };
  std::uint32_t properties;
  std::function<std::vector<Move>(std::uint32_t state, ltl::Letter letter)> from;
};

Moves guessing(const ltl::Buchi& negation) {
  return {1, [&negation](std::uint32_t state, ltl::Letter letter) {
            std::vector<Moves::Move> out;
            for (const auto& edge : negation.edges[state])
              if (edge.takes(letter)) out.push_back({edge.to, {edge.accepting ? 1u : 0u, 0}});
            return out;
          }};
}
Moves deterministic(const ltl::Rabin& negation) {
  return {negation.pairs(), [&negation](std::uint32_t state, ltl::Letter letter) {
            const ltl::Rabin::Move& move = negation.move(state, letter);
            return std::vector<Moves::Move>{{move.to, {move.hot, move.cold}}};
          }};
}

/// The product of a graph with an automaton. Where an execution ends, a process of nobody's repeats its last letter.
bool violated(const Case& c, const Moves& negation, LoopFairness fairness, LoopChoices choices) {
  constexpr std::uint32_t kNobody = 31;
  using At = std::pair<std::uint32_t, std::uint32_t>;
  std::map<At, std::uint32_t> numbers{{{0, 0}, 0}};
  std::vector<At> queue{{0, 0}};
  LiveGraph product;
  const auto number = [&](const At& at) {
    const auto [known, fresh] = numbers.emplace(at, static_cast<std::uint32_t>(numbers.size()));
    if (fresh) queue.push_back(at);
    return known->second;
  };
  for (std::uint32_t from = 0; from < queue.size(); ++from) {
    const auto [state, watching] = queue[from];
    auto& enabled = product.enabled.emplace_back();
    for (const GraphEdge& e : c.graph.edges)
      if (e.from == state) enabled.insert(e.process);
    for (const Moves::Move& move : negation.from(watching, c.letter(state))) {
      for (const GraphEdge& e : c.graph.edges)
        if (e.from == state) product.edges.push_back({from, number({e.to, move.to}), e.process, e.values, move.marks, {}});
      if (enabled.empty()) product.edges.push_back({from, number({state, move.to}), kNobody, {}, move.marks, {}});
    }
  }
  const OracleFairness how = fairness == LoopFairness::kNone ? OracleFairness::kNone : fairness == LoopFairness::kWeak ? OracleFairness::kWeak : OracleFairness::kStrong;
  const FairOracle oracle(product, how, choices == LoopChoices::kFair);
  for (std::uint32_t i = 0; i < negation.properties; ++i)
    if (oracle.violated(i)) return true;
  return false;
}

/// Is the loop of a finding fair, as an execution of the graph?
bool is_fair(const Case& c, const Finding& finding, const std::vector<std::uint32_t>& states, std::size_t loop, const SearchOptions& options) {
  Graph hot = c.graph;
  hot.properties = 1;
  for (GraphEdge& e : hot.edges) e.marks = {1, 0};
  std::vector<const GraphEdge*> taken;
  std::size_t number = 0;
  for (std::size_t i = 0; i < finding.schedule.size(); ++number) {
    const std::uint32_t process = finding.schedule[i++].number;
    std::vector<std::uint32_t> values;
    while (i < finding.schedule.size() && finding.schedule[i].kind == Choice::Kind::kValue) values.push_back(finding.schedule[i++].number);
    for (const GraphEdge& e : hot.edges)
      if (number >= loop && e.from == states[number] && e.process == process && e.values == values) taken.push_back(&e);
  }
  return EndlessSet(hot, std::move(taken)).violates(0, options.fairness, options.choices);
}

// With demonic choices the Büchi automaton decides, too, which knows nothing of pairs. Fair choices are made anew in each state of the deterministic one.
TEST(FormulasOverModels, EverySearchAgreesWithTheProductUnderFairness) {
  CombinationsMet met;
  for (std::uint64_t seed = 0; seed < fewer(400u); ++seed) {
    SplitMix random(seed + 50'000);
    Case c{random_graph(seed + 50'000, {.most_states = 6, .most_processes = 3, .most_edges = 16, .masks = false}), {}, {}};
    c.graph.properties = 0;
    for (GraphEdge& e : c.graph.edges) e.marks = {}, e.resolved = {};
    for (std::uint32_t s = 0; s < c.graph.states; ++s) c.labels.push_back(random.below(8));
    std::sort(c.graph.edges.begin(), c.graph.edges.end());
    const std::string text = random_formula(random, 3);
    SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << text);
    auto parsed = ltl::parse(text, "--ltl");
    ASSERT_TRUE(parsed);
    c.formula = std::move(*parsed);
    const auto program = with_formula(std::make_unique<LabelledGraph>(c.graph, c.labels), text, "--ltl");
    if (!program) continue;  // too large
    const auto buchi = ltl::automaton(c.formula.formulas, c.formula.formulas.negation(c.formula.root));
    std::vector<ltl::Letter> letters(std::size_t{1} << c.formula.atoms.size());
    std::iota(letters.begin(), letters.end(), ltl::Letter{0});
    const auto rabin = ltl::deterministic(*buchi, letters);
    ASSERT_TRUE(rabin);
    for (const LivenessCombination& how : combinations_for(seed, 8)) {
      SCOPED_TRACE(how.text());
      const bool bad = violated(c, deterministic(*rabin), how.fairness, how.choices);
      if (how.choices == LoopChoices::kDemonic) {
        ASSERT_EQ(violated(c, guessing(*buchi), how.fairness, how.choices), bad);
      }
      met.add(how, bad);
      const SearchOptions options = options_of(how, seed);
      const Searched searched = run_search(**program, how.way.search, how.explorer, options, how.way.params);
      ASSERT_EQ(!searched.findings.empty(), bad);
      for (const Finding& finding : searched.findings) {
        std::size_t loop = 0;
        const auto states = states_of(c.graph, finding, loop);
        ASSERT_FALSE(states.empty());
        ASSERT_FALSE(c.holds(states, loop));
        ASSERT_TRUE(finding.loop == 0 || is_fair(c, finding, states, loop, options));
      }
      if (!bad) {
        ASSERT_TRUE(searched.outcome.live || (*program)->properties().empty());
      }
    }
  }
  const std::size_t all = liveness_combinations().size();
  EXPECT_GE(met.combinations(true), fewer(all));
  EXPECT_GE(met.combinations(false), fewer(all));
}

/// A client that asks and a server that grants; BUG: it may forget.
template <bool Forgets>
struct Server {
  struct State {
    bool asked, granted;
    TARRY_FIELDS(asked, granted)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (p == 0) {
      if (s.asked) return run.idle();
      s = {true, false};
      return run.label("asks");
    }
    if (!s.asked) return run.idle();
    s.asked = false;
    s.granted = !Forgets || run.choose(2) == 0;
    run.label("answers");
  }
  void labels(const State& s, Labels& labels) {
    labels.add("asked", s.asked);
    labels.add("granted", s.granted);
  }
};

template <class Model>
Result<std::unique_ptr<Program>> watched(const std::string& formula) {
  static constexpr abi::Model kTable = detail::Adapter<Model>::table("model", __FILE__);
  return with_formula(make_model_program(kTable), formula, "--ltl");
}

TEST(FormulasOverModels, AModelIsCheckedByItsLabels) {
  EXPECT_TRUE(run_search(**watched<Server<false>>("G (asked -> F granted)"), "fair-cycle").outcome.live);
  EXPECT_TRUE(run_search(**watched<Server<false>>("G (asked -> X granted)"), "fair-cycle").outcome.live);
  EXPECT_TRUE(run_search(**watched<Server<true>>("G (asked -> F granted)"), "fair-cycle").outcome.live);  // forgetting for ever is not fair
  SearchOptions demonic;
  demonic.choices = LoopChoices::kDemonic;
  const Searched forgets = run_search(**watched<Server<true>>("G (asked -> F granted)"), "fair-cycle", "round-robin", demonic);
  ASSERT_EQ(forgets.findings.size(), 1u);
  EXPECT_EQ(forgets.findings[0].message, "formula 'G (asked -> F granted)' does not hold in an execution that goes on for ever");
  EXPECT_EQ(run_search(**watched<Server<true>>("G (asked -> X granted)"), "fair-cycle").findings.size(), 1u);
  EXPECT_EQ(run_search(**watched<Server<false>>("F G granted"), "fair-cycle").findings.size(), 1u);
}

struct Unlabelled : Server<false> {
  void labels() {}
};

TEST(FormulasOverModels, UnknownNamesAreToldWithThoseThatThereAre) {
  const auto misspelled = watched<Server<false>>("G (askd -> F granted)");
  ASSERT_FALSE(misspelled);
  EXPECT_EQ(misspelled.error().text, "--ltl:1:4: 'askd' is no label of the model; its labels are 'asked', 'granted', in \"G (askd -> F granted)\"");
  const auto none = watched<Unlabelled>("F granted");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().text.find("which has none; give it a member 'void labels(const State& s, tarry::Labels& labels)'"), std::string::npos);
}

struct Fickle : Server<false> {
  void labels(const State& s, Labels& labels) {
    labels.add("granted", s.granted);
    if (s.asked) labels.add("more", true);
  }
};
struct Throwing : Server<false> {
  void labels(const State& s, Labels& labels) {
    if (s.asked) throw std::runtime_error("no labels here");
    labels.add("granted", s.granted);
  }
};

TEST(FormulasOverModels, LabelsThatCannotBeToldAreFindings) {
  const Searched fickle = run_search(**watched<Fickle>("F granted"), "fair-cycle");
  ASSERT_EQ(fickle.findings.size(), 1u);
  EXPECT_EQ(fickle.findings[0].kind, FindingKind("misuse"));
  EXPECT_EQ(fickle.findings[0].message, "'labels' must give the same names in the same order in every state");
  const Searched throwing = run_search(**watched<Throwing>("F granted"), "map");
  ASSERT_EQ(throwing.findings.size(), 1u);
  EXPECT_EQ(throwing.findings[0].kind, FindingKind("exception"));
  EXPECT_EQ(throwing.findings[0].message, "no labels here");
}

}  // namespace
}  // namespace tarry::test
