// Formulas against words of the shape u v v v …: what a plain evaluation says, both automata must say.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "base/rng.h"
#include "ltl/buchi.h"
#include "ltl/formula.h"
#include "ltl/rabin.h"
#include "tests/support/fewer.h"
#include "tests/support/ltl_words.h"

namespace tarry::ltl {
namespace {

using testing_ltl::accepts;
using testing_ltl::holds;
using testing_ltl::random_formula;
using testing_ltl::random_word;
using testing_ltl::Word;

bool says(const std::string& text, const Word& word) {
  const auto formula = parse(text, "test");
  EXPECT_TRUE(formula) << formula.error().text;
  return holds(formula->formulas, formula->root, word);
}

// The evaluator itself, by hand. Atom 0 is a, atom 1 is b, as they are first named.
TEST(Ltl, WordsByHand) {
  const Word never{.letters = {0}, .loop = 0}, once{.letters = {1, 0}, .loop = 1}, again{.letters = {0, 1}, .loop = 0};
  EXPECT_FALSE(says("F a", never));
  EXPECT_TRUE(says("F a", once));
  EXPECT_FALSE(says("G F a", once));
  EXPECT_TRUE(says("G F a", again));
  EXPECT_TRUE(says("a U b", {.letters = {1, 1, 2, 0}, .loop = 3}));
  EXPECT_FALSE(says("a U b", {.letters = {1, 0, 2, 0}, .loop = 3}));
  EXPECT_TRUE(says("a W b", {.letters = {1}, .loop = 0}));
  EXPECT_FALSE(says("a U b", {.letters = {1}, .loop = 0}));
  EXPECT_TRUE(says("a R b", {.letters = {2, 2, 3, 0}, .loop = 3}));
  EXPECT_FALSE(says("a R b", {.letters = {2, 1}, .loop = 1}));
  EXPECT_TRUE(says("X a", {.letters = {0, 1, 0}, .loop = 2}));
  EXPECT_TRUE(says("G (a -> F b)", {.letters = {1, 0, 2}, .loop = 0}));
  EXPECT_FALSE(says("G (a -> F b)", {.letters = {2, 1, 0}, .loop = 1}));
}

TEST(Ltl, RandomFormulasOnRandomWords) {
  std::size_t accepted = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= test::fewer(1500u); ++seed) {
    Rng rng(seed, 13);
    Formulas formulas;
    const std::uint32_t atoms = 1 + static_cast<std::uint32_t>(rng.below(3));
    const Node root = random_formula(formulas, rng, atoms, 1 + static_cast<unsigned>(rng.below(6)));
    const auto buchi = automaton(formulas, root);
    ASSERT_TRUE(buchi) << seed;
    std::vector<Letter> letters;
    for (Letter l = 0; l < Letter{1} << atoms; ++l) letters.push_back(l);
    const auto rabin = deterministic(*buchi, letters);
    for (int i = 0; i < 20; ++i) {
      const Word word = random_word(rng, atoms);
      const bool expected = holds(formulas, root, word);
      (expected ? accepted : refused) += 1;
      ASSERT_EQ(accepts(*buchi, word), expected) << seed;
      if (rabin) {
        ASSERT_EQ(accepts(*rabin, word), expected) << seed;
      }
      ASSERT_NE(holds(formulas, formulas.negation(root), word), expected) << seed;
    }
    for (std::size_t letter = 0; letter < letters.size() && rabin; ++letter)
      ASSERT_EQ(rabin->accepts_for_ever(0, letter), holds(formulas, root, {.letters = {letters[letter]}, .loop = 0}));
  }
  EXPECT_GT(accepted, test::fewer(2500u));
  EXPECT_GT(refused, test::fewer(2500u));
}

// Most of what people write is small.
TEST(Ltl, UsualFormulasHaveSmallAutomata) {
  const auto sizes = [](const std::string& text) {
    auto formula = parse(text, "test");
    const auto buchi = automaton(formula->formulas, formula->formulas.negation(formula->root));
    std::vector<Letter> letters;
    for (Letter l = 0; l < Letter{1} << formula->atoms.size(); ++l) letters.push_back(l);
    const auto rabin = deterministic(*buchi, letters);
    return std::tuple(buchi->edges.size(), rabin->states(), rabin->pairs());
  };
  EXPECT_LE(std::get<0>(sizes("G (a -> F b)")), 2u);
  EXPECT_LE(std::get<1>(sizes("G (a -> F b)")), 4u);
  EXPECT_LE(std::get<0>(sizes("G F a -> G F b")), 4u);
  EXPECT_LE(std::get<2>(sizes("G F a -> G F b")), 3u);
}

std::string problem(const std::string& text) {
  const auto formula = parse(text, "--ltl");
  return formula ? "" : formula.error().text;
}

TEST(Ltl, MistakesAreNamedWithTheirColumn) {
  EXPECT_EQ(problem("G (a -> F )"), "--ltl:1:11: expected a formula, found ')', in \"G (a -> F )\"");
  EXPECT_EQ(problem("G (a"), "--ltl:1:5: expected ')', found the end, in \"G (a\"");
  EXPECT_EQ(problem(""), "--ltl:1:1: expected a formula, found the end, in \"\"");
  EXPECT_EQ(problem("a b"), "--ltl:1:3: expected an operator or the end, found 'b', in \"a b\"");
  EXPECT_EQ(problem("a # b"), "--ltl:1:3: '#' is not part of a formula, in \"a # b\"");
  EXPECT_EQ(problem("a U U b"), "--ltl:1:5: expected a formula, found 'U', in \"a U U b\"");
  EXPECT_NE(problem(std::string(1000, '!') + "a").find("nested"), std::string::npos);
  EXPECT_NE(problem(std::string(1000, '(')).find("nested"), std::string::npos);
  EXPECT_EQ(problem(std::string(199, '(') + "a" + std::string(199, ')')), "");
  EXPECT_NE(problem(std::string(200, '(') + "a" + std::string(200, ')')).find("nested 200 deep"), std::string::npos);
  EXPECT_NE(problem("caf\u00e9").find("'\u00e9' is not part"), std::string::npos);
}

TEST(Ltl, OperatorsBindAsPromised) {
  const auto same = [](const std::string& a, const std::string& b) {
    const auto left = parse("(" + a + ") <-> (" + b + ")", "test");
    return left && left->root == left->formulas.constant(true);
  };
  EXPECT_TRUE(same("a || b && c", "a || (b && c)"));
  EXPECT_TRUE(same("a -> b -> c", "a -> (b -> c)"));
  EXPECT_TRUE(same("!a U b", "(!a) U b"));
  EXPECT_TRUE(same("a U b U c", "a U (b U c)"));
  EXPECT_TRUE(same("[] <> a", "G F a"));
  EXPECT_TRUE(same("a U b && c", "(a U b) && c"));
  EXPECT_TRUE(same("not (a and b) or c", "!(a & b) | c"));
  EXPECT_FALSE(same("a U (b U c)", "(a U b) U c"));
}

TEST(Ltl, NextIsNoticed) {
  EXPECT_EQ(parse("G (a -> X b)", "test")->next_column, 9u);
  EXPECT_EQ(parse("G (a -> F b)", "test")->next_column, 0u);
}

}  // namespace
}  // namespace tarry::ltl
