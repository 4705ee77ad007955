// Random formulas over random P programs through every search that decides liveness, against a product that sees events as a spec is told them, and follows the spec by hand.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>

#include "ltl/formula.h"
#include "ltl/rabin.h"
#include "tests/support/fair_oracle.h"
#include "tests/support/fewer.h"
#include "tests/support/liveness_ways.h"
#include "tests/support/p_endless.h"
#include "tests/support/p_everything.h"
#include "tests/support/random_program.h"

namespace tarry::test {
namespace {

using plang::FormulaWatch;
using plang::Points;
using plang::PProgram;
using plang::Purpose;
using plang::testing_support::make_ready;
using plang::testing_support::Ready;

constexpr std::uint32_t kEvents = 3;

/// A spec whose states are neither hot nor cold: for each of them, where each event leads.
using States = std::vector<std::array<std::uint32_t, kEvents>>;

States random_states(SplitMix& random) {
  States out(2 + random.below(2));
  for (auto& state : out)
    for (std::uint32_t& to : state) to = random.below(static_cast<std::uint32_t>(out.size()));
  return out;
}

/// The program with this spec, called Seen, in place of its own.
std::string with_states(const std::string& text, const States& states) {
  std::string spec = "spec Seen observes m0, m1, m2 {";
  for (std::size_t i = 0; i < states.size(); ++i) {
    spec += std::string(i == 0 ? " start" : "") + " state T" + std::to_string(i) + " {";
    for (std::uint32_t e = 0; e < kEvents; ++e) spec += " on m" + std::to_string(e) + " goto T" + std::to_string(states[i][e]) + ";";
    spec += " }";
  }
  const std::string attached = text.substr(text.find("test t"));
  return text.substr(0, text.find("spec ")) + spec + " }\ntest t [main=Main]: assert Seen" + attached.substr(attached.find(" in {"));
}

std::string random_formula(SplitMix& random, std::size_t states, int depth) {
  if (depth == 0 || random.one_in(5)) {
    const std::string atom = random.one_in(3) ? "Seen.T" + std::to_string(random.below(static_cast<std::uint32_t>(states))) : "m" + std::to_string(random.below(kEvents));
    return random.one_in(3) ? "!" + atom : atom;
  }
  const std::string left = "(" + random_formula(random, states, depth - 1) + ")";
  const auto right = [&] { return "(" + random_formula(random, states, depth - 1) + ")"; };
  switch (random.below(8)) {
    case 0: return "G " + left;
    case 1: return "F " + left;
    case 2: return "G F " + left;
    case 3: return left + " U " + right();
    case 4: return left + " W " + right();
    case 5: return left + " -> " + right();
    case 6: return left + " && " + right();
    default: return left + " || " + right();
  }
}

/// All states of the program without the formula, and the events that Seen is told on each edge.
struct Told {
  LiveGraph graph;
  std::vector<std::vector<std::uint32_t>> events;  // by edge
};

std::optional<Told> told(const Program& program) {
  auto graph = live_graph(program, 150);
  if (!graph) return std::nullopt;
  Told out{std::move(*graph), {}};
  const auto space = program.open();
  const auto narrator = program.narrator();
  std::vector<std::vector<Word>> states(out.graph.states(), std::vector<Word>(program.shape().words));
  space->initial(states[0].data());
  std::vector<bool> known(states.size());
  known[0] = true;
  Taken taken(program.shape().words);
  for (const LiveGraph::Edge& e : out.graph.edges) {  // breadth first: a state is known before its edges
    const StepText text = narrator->explain(states[e.from], ProcessId{e.process}, e.values);
    auto& events = out.events.emplace_back();
    for (const Happening& h : text.happenings)
      if (h.kind == Happening::Kind::kSee && h.observer) events.push_back(static_cast<std::uint32_t>(h.text.back() - '0'));
    if (e.failed || known[e.to]) continue;
    space->take(states[e.from], ProcessId{e.process}, e.values, taken);
    states[e.to].assign(taken.state().begin(), taken.state().end());
    known[e.to] = true;
  }
  return out;
}

Result<ltl::Rabin> negation(ltl::Formula& formula) {
  const auto buchi = ltl::automaton(formula.formulas, formula.formulas.negation(formula.root));
  if (!buchi) return buchi.error();
  std::vector<ltl::Letter> letters(std::size_t{1} << formula.atoms.size());
  std::iota(letters.begin(), letters.end(), ltl::Letter{0});
  return ltl::deterministic(*buchi, letters);
}

class Product {
 public:
  /// `negation`: an automaton of the formula's negation, for all letters.
  Product(const Told& base, const States& states, const ltl::Formula& formula, const ltl::Rabin& negation) : base_(base), states_(states), formula_(formula), rabin_(negation) {
    for (std::uint32_t e = 0; e < kEvents; ++e) sees_[e] = names("m" + std::to_string(e));
    for (std::size_t t = 0; t < states.size(); ++t)
      if (names("Seen.T" + std::to_string(t))) sees_.fill(true);
    build();
  }
  bool small() const { return numbers_.size() < 2'000; }

  bool violated(const LivenessCombination& how) const {
    if (ends_badly_) return true;
    LiveGraph graph = product_;
    if (!how.way.any_choices)
      for (LiveGraph::Edge& e : graph.edges) e.resolved = {};
    const OracleFairness fairness = how.fairness == LoopFairness::kNone ? OracleFairness::kNone : how.fairness == LoopFairness::kWeak ? OracleFairness::kWeak : OracleFairness::kStrong;
    const FairOracle oracle(graph, fairness, how.choices == LoopChoices::kFair);
    for (std::uint32_t i = 0; i <= rabin_.pairs(); ++i)
      if (oracle.violated(i)) return true;
    return false;
  }

 private:
  struct At {
    std::uint32_t state, seen, watching;
    friend auto operator<=>(const At&, const At&) = default;
  };

  bool names(const std::string& atom) const { return std::find(formula_.atoms.begin(), formula_.atoms.end(), atom) != formula_.atoms.end(); }

  ltl::Letter letter(const std::string& event, std::uint32_t seen) const {
    ltl::Letter out = 0;
    for (std::size_t i = 0; i < formula_.atoms.size(); ++i)
      if (formula_.atoms[i] == event || formula_.atoms[i] == "Seen.T" + std::to_string(seen)) out |= ltl::Letter{1} << i;
    return out;
  }
  bool bad_if_silent(const At& at) const { return rabin_.accepts_for_ever(at.watching, letter("", at.seen)); }

  void build() {
    std::vector<At> queue;
    const auto number = [&](const At& at) {
      const auto [known, fresh] = numbers_.emplace(at, static_cast<std::uint32_t>(numbers_.size()));
      if (fresh) queue.push_back(at);
      return known->second;
    };
    number({0, 0, 0});
    for (std::uint32_t from = 0; from < queue.size() && small(); ++from) {
      const At at = queue[from];
      product_.enabled.push_back(base_.graph.enabled[at.state]);
      bool ends = true;
      for (std::size_t n = 0; n < base_.graph.edges.size(); ++n) {
        const LiveGraph::Edge& e = base_.graph.edges[n];
        if (e.from != at.state) continue;
        ends = false;
        At to{e.to, at.seen, at.watching};
        abi::Marks marks{};
        bool silent = true;
        for (const std::uint32_t event : base_.events[n]) {
          to.seen = states_[to.seen][event];
          if (!sees_[event]) continue;
          silent = false;
          const ltl::Rabin::Move& move = rabin_.move(to.watching, letter("m" + std::to_string(event), to.seen));
          marks.hot |= move.hot, marks.cold |= move.cold;
          to.watching = move.to;
        }
        (silent ? marks.hot : marks.cold) |= std::uint32_t{!silent || bad_if_silent(to)} << rabin_.pairs();
        product_.edges.push_back({from, number(to), e.process, e.values, marks, e.resolved});
      }
      ends_badly_ = ends_badly_ || (ends && bad_if_silent(at));
    }
  }

  const Told& base_;
  const States& states_;
  const ltl::Formula& formula_;
  const ltl::Rabin& rabin_;
  std::array<bool, kEvents> sees_{};
  std::map<At, std::uint32_t> numbers_;
  LiveGraph product_;
  bool ends_badly_ = false;
};

TEST(FormulaSearches, EverySearchFindsWhatTheProductFinds) {
  CombinationsMet met;
  std::uint64_t two_pairs = 0, of_states = 0;
  for (std::uint64_t seed = 0; seed < fewer(400u); ++seed) {
    SplitMix random(seed + 70'000);
    const States states = random_states(random);
    const std::string text = with_states(EndlessProgram(seed + 70'000).text(), states);
    const std::string ltl = random_formula(random, states.size(), 3);
    SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << ltl << "\n" << text);
    const Searchable plain(text, Points::kAll);
    const auto base = told(*plain.program);
    if (!base || !base->graph.failures.empty()) continue;
    auto formula = ltl::parse(ltl, "--ltl");
    ASSERT_TRUE(formula);
    const auto watch = FormulaWatch::make(ltl, "--ltl", *plain.ready.compiled.program, plain.ready.test());
    const auto automaton = negation(*formula);  // larger than that of the watch, which knows which letters there are
    if (!watch || !automaton) continue;
    const Product product(*base, states, *formula, *automaton);
    if (!product.small()) continue;
    two_pairs += watch->properties() > 2 ? 1 : 0;
    of_states += watch->specs().empty() ? 0 : 1;
    const Ready ready = make_ready(text);
    const PProgram program(*ready.code, ready.test(), seed % 3 == 0 ? Points::kAll : Points::kNeeded, Purpose::kSearch, plang::Bounds{}, nullptr, nullptr, &*watch);
    for (const LivenessCombination& how : combinations_for(seed, 8)) {
      const bool bad = product.violated(how);
      const Searched searched = run_search(program, how.way.search, how.explorer, options_of(how, seed), how.way.params);
      ASSERT_EQ(!searched.findings.empty(), bad) << how.text();
      ASSERT_EQ(searched.outcome.live, !bad) << how.text();
      met.add(how, bad);
    }
  }
  const std::size_t all = liveness_combinations().size();
  EXPECT_GE(met.combinations(true), fewer(all));
  EXPECT_GE(met.combinations(false), fewer(all));
  EXPECT_GT(two_pairs, fewer(20u));
  EXPECT_GT(of_states, fewer(100u));
}

}  // namespace
}  // namespace tarry::test
