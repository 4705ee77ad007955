// Section 3.11: parameterised tests.
#include "plang/sema/param_tests.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::as_marked;
using testing_support::compile_text;

const std::string kParams =
    "param n: int; param m: int; param k: int; param b: bool; param c: bool; param s: string; machine Main { start state S { } "
    "}\n";

testing::AssertionResult test_as_marked(const std::string& head) {
  return as_marked(kParams + "test " + head + " [main = Main]: { Main };");
}

std::vector<std::string> names(const std::string& head) {
  const Compiled compiled = compile_text(kParams + "test " + head + " [main = Main]: { Main };");
  std::vector<std::string> result;
  if (compiled.program == nullptr) return {compiled.messages};
  for (const TestCase& test : compiled.program->tests) result.push_back(test.name);
  return result;
}
using Names = std::vector<std::string>;

TEST(ParamTests, AreNamedAfterTheirValues) {
  EXPECT_EQ(names("t"), Names{"t"});
  EXPECT_EQ(names("param (n in [1]) t"), Names{"t___n_1"});
  EXPECT_EQ(names("param (n in [-3, 0], b in [true]) t"), (Names{"t___n_neg3__b_true", "t___n_0__b_true"}));
}

TEST(ParamTests, LetTheFirstParamVaryFastest) {
  EXPECT_EQ(names("param (n in [1, 2], b in [true, false]) t"),
            (Names{"t___n_1__b_true", "t___n_2__b_true", "t___n_1__b_false", "t___n_2__b_false"}));
}

TEST(ParamTests, GiveTheirValuesToTheParams) {
  const Compiled compiled =
      compile_text(kParams + "test param (b in [true], n in [-7]) t [main = Main]: { Main }; test u [main = Main]: { Main };");
  ASSERT_NE(compiled.program, nullptr) << compiled.messages;
  const std::vector<std::optional<std::int64_t>> expected = {-7, std::nullopt, std::nullopt, 1, std::nullopt, std::nullopt};
  EXPECT_EQ(compiled.program->tests[0].params, expected);
  EXPECT_EQ(compiled.program->tests[1].params, std::vector<std::optional<std::int64_t>>(6));
}

TEST(ParamTests, DropWhatTheAssumptionExcludes) {
  EXPECT_EQ(names("param (n in [1, 2, 3], b in [true, false]) assume (n > 1 && !b || n * 2 == 2 && b) t"),
            (Names{"t___n_1__b_true", "t___n_2__b_false", "t___n_3__b_false"}));
  EXPECT_EQ(names("param (n in [7, 8, -7]) assume n % 3 == 1 || n / 2 == -3 t"), (Names{"t___n_7", "t___n_neg7"}));
  EXPECT_EQ(names("param (n in [2147483647]) assume n + 1 < 0 t"), Names{"t___n_2147483647"});
  EXPECT_EQ(names("param (n in [0, 1], m in [0, 1]) assume -n != m && !(n >= m) && (n <= m) == true t"), Names{"t___n_0__m_1"});
}

TEST(ParamTests, CoverPairs) {
  EXPECT_EQ(names("param (n in [0, 1], m in [0, 1], k in [0, 1]) pairwise t"),
            (Names{"t___n_0__m_0__k_0", "t___n_1__m_1__k_0", "t___n_1__m_0__k_1", "t___n_0__m_1__k_1"}));
  EXPECT_EQ(names("param (n in [0, 1], m in [0, 1], k in [0, 1]) (2 wise) t"),
            names("param (n in [0, 1], m in [0, 1], k in [0, 1]) pairwise t"));
  EXPECT_EQ(names("param (n in [0, 1], m in [0, 1], k in [0, 1]) (1 wise) t"), (Names{"t___n_0__m_0__k_0", "t___n_1__m_1__k_1"}));
  EXPECT_EQ(names("param (n in [0, 1], m in [0, 1]) (2 wise) t").size(), 4U);
  EXPECT_EQ(names("param (n in [0, 1], m in [0, 1], k in [0, 1]) (3 wise) t").size(), 8U);
}

TEST(ParamTests, CoverOnlyWhatTheAssumptionLeaves) {
  EXPECT_EQ(names("param (n in [0, 1], m in [0, 1], k in [0, 1]) assume n == m (1 wise) t"),
            (Names{"t___n_0__m_0__k_0", "t___n_1__m_1__k_1"}));
  EXPECT_EQ(names("param (n in [0, 1], m in [0, 1], k in [0, 1]) assume n == m && m == k pairwise t").size(), 2U);
}

TEST(ParamTests, TakeABoolThatIsListedTwiceOnce) { EXPECT_EQ(names("param (b in [true, true]) t"), Names{"t___b_true"}); }

TEST(ParamTests, NeedGlobalParams) {
  EXPECT_TRUE(test_as_marked("param (n in [1], /*E05*/nobody in [1], /*E05*/Main in [true]) t"));
  EXPECT_TRUE(test_as_marked("param (n in [1], m in [1], /*E09*/n in [2]) t"));
}

TEST(ParamTests, NeedValuesOfTheTypeOfTheParam) {
  EXPECT_TRUE(test_as_marked("param (n in [1, /*E22*/true]) t"));
  EXPECT_TRUE(test_as_marked("param (b in [/*E22*/1, 2]) t"));
  EXPECT_TRUE(test_as_marked("param (n in [/*E22*/true]) t"));
  EXPECT_TRUE(test_as_marked("param (s in [/*E22*/1]) t"));
  EXPECT_TRUE(test_as_marked("param (n in [1, 2, /*E65*/1]) t"));
  EXPECT_TRUE(test_as_marked("param (n in [1, -1]) t"));
}

TEST(ParamTests, NeedAStrengthThatFits) {
  EXPECT_TRUE(test_as_marked("param (n in [1], m in [2]) (/*E64*/3 wise) t"));
  EXPECT_TRUE(test_as_marked("param (n in [1], m in [2]) (/*E64*/0 wise) t"));
  EXPECT_TRUE(test_as_marked("(/*E64*/1 wise) t"));
  EXPECT_TRUE(test_as_marked("param (n in [1], m in [2]) (2 wise) t"));
}

TEST(ParamTests, WarnIfNoTestIsLeft) {
  EXPECT_TRUE(test_as_marked("param (n in [1, 2]) /*W4*/pairwise t"));
  EXPECT_TRUE(test_as_marked("param (n in [1, 2]) assume n > 3 /*W4*/t"));
  EXPECT_EQ(names("param (n in [1, 2]) pairwise t"), Names{});
}

TEST(Assumptions, AreBoolAndOfLiteralsParamsAndOperators) {
  EXPECT_TRUE(test_as_marked("param (n in [1]) assume /*E22*/n t"));
  EXPECT_TRUE(test_as_marked("param (n in [1]) assume /*E22*/n + 1 t"));
  EXPECT_TRUE(test_as_marked("param (n in [1]) assume n == /*E22*/\"a\" t"));
  EXPECT_TRUE(test_as_marked("param (n in [1]) assume n > /*E22*/choose(3) t"));
  EXPECT_TRUE(test_as_marked("param (n in [1]) assume /*E22*/$ && n > 1 t"));
  EXPECT_TRUE(test_as_marked("param (n in [1], b in [true]) assume n /*E22*/== b t"));
  EXPECT_TRUE(
      test_as_marked("param (n in [1], b in [true]) assume /*E22*/n && b && -/*E22*/b > 1 && !/*E22*/n && /*E22*/b < 1 t"));
  EXPECT_TRUE(test_as_marked("param (n in [1]) assume n > /*E22*/1.5 t"));
}

TEST(Assumptions, KnowOnlyTheParamsOfTheirTest) {
  EXPECT_TRUE(test_as_marked("param (n in [1]) assume n > /*E05*/m t"));
  EXPECT_TRUE(test_as_marked("param (n in [1]) assume n > /*E07*/nobody && /*E07*/Main == n t"));
  EXPECT_TRUE(test_as_marked("assume /*E05*/b t"));
  EXPECT_TRUE(test_as_marked("assume true t"));
}

TEST(Assumptions, DoNotDivideByZeroNorShortCircuit) {
  EXPECT_TRUE(test_as_marked("param (n in [1, 0]) assume n != 0 && 6 /*E22*// n > 1 t"));
  EXPECT_TRUE(test_as_marked("param (n in [1, 0]) assume 6 /*E22*/% n == 0 t"));
}

TEST(ParamTests, RefuseTooManyCombinations) {
  std::string many = "[0";
  for (int i = 1; i < 400; ++i) many += fmt::format(", {}", i);
  many += "]";
  EXPECT_TRUE(test_as_marked("param (n in " + many + ", m in " + many + ") /*E64*/t"));
  EXPECT_TRUE(test_as_marked("param (n in " + many + ", m in [1, 2]) t"));
}

TEST(ParamTests, RefuseTooManyCombinationsToChooseFrom) {
  std::string params, list;
  for (int i = 0; i < 16; ++i) {
    params += fmt::format("param p{}: bool; ", i);
    list += fmt::format("{}p{} in [true, false]", i == 0 ? "" : ", ", i);
  }
  EXPECT_TRUE(as_marked(kParams + params + "test param (" + list + ") (8 wise) /*E64*/t [main = Main]: { Main };"));
  EXPECT_TRUE(as_marked(kParams + params + "test param (" + list + ") pairwise t [main = Main]: { Main };"));
}

TEST(ParamTests, MayNotShareAName) {
  EXPECT_TRUE(
      as_marked(kParams + "test t___n_1 [main = Main]: { Main }; test param (n in [1]) /*E03*/t [main = Main]: { Main };"));
}

// ---- The greedy reduction, compared with its definition.

std::vector<std::uint32_t> cover_by_definition(const std::vector<std::uint32_t>& candidates,
                                               const std::vector<std::uint32_t>& sizes, std::uint32_t strength) {
  using Tuple = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  const auto tuples_of = [&](std::uint32_t candidate) {
    std::vector<std::uint32_t> digits;
    for (const std::uint32_t size : sizes) {
      digits.push_back(candidate % size);
      candidate /= size;
    }
    std::set<Tuple> result;
    for (std::uint32_t subset = 0; subset < 1U << sizes.size(); ++subset) {
      if (static_cast<std::uint32_t>(__builtin_popcount(subset)) != strength) continue;
      Tuple tuple;
      for (std::uint32_t i = 0; i < sizes.size(); ++i) {
        if ((subset >> i & 1) != 0) tuple.emplace_back(i, digits[i]);
      }
      result.insert(tuple);
    }
    return result;
  };
  std::set<Tuple> missing;
  for (const std::uint32_t candidate : candidates) missing.merge(tuples_of(candidate));
  std::vector<std::uint32_t> chosen;
  while (!missing.empty()) {
    std::size_t most = 0;
    std::uint32_t best = 0;
    for (const std::uint32_t candidate : candidates) {
      std::size_t gain = 0;
      for (const Tuple& tuple : tuples_of(candidate)) gain += missing.count(tuple);
      if (gain <= most) continue;
      most = gain;
      best = candidate;
    }
    for (const Tuple& tuple : tuples_of(best)) missing.erase(tuple);
    chosen.push_back(best);
  }
  return chosen;
}

TEST(Cover, IsTheGreedyChoiceByDefinition) {
  std::uint32_t random = 12345;
  const auto next = [&](std::uint32_t below) {
    random = random * 1664525 + 1013904223;
    return (random >> 16) % below;
  };
  for (int round = 0; round < 40; ++round) {
    std::vector<std::uint32_t> sizes;
    std::uint32_t product = 1;
    for (std::uint32_t i = 0, count = 2 + next(4); i < count; ++i) {
      sizes.push_back(1 + next(3));
      product *= sizes.back();
    }
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t i = 0; i < product; ++i) {
      if (round % 2 == 0 || next(3) != 0) candidates.push_back(i);
    }
    const std::uint32_t strength = 1 + next(static_cast<std::uint32_t>(sizes.size()) - 1);
    EXPECT_EQ(cover(candidates, sizes, strength), cover_by_definition(candidates, sizes, strength));
  }
}

TEST(Cover, KnowsItsWork) {
  EXPECT_EQ(cover_work(10, 5, 2), 100U);
  EXPECT_EQ(cover_work(1, 1000, 500), std::uint64_t{1} << 32);
  EXPECT_TRUE(cover({}, {2, 2}, 1).empty());
}

}  // namespace
}  // namespace tarry::plang
