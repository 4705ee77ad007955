// Trees over the words of a state: whole, and small where the words go together.
#include "store/fold_plan.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/rng.h"

namespace tarry {
namespace {

using States = std::vector<std::vector<Word>>;

/// Every word and every pair but the root is part of exactly one later pair.
void expect_tree(const std::vector<Fold>& folds, std::uint32_t words) {
  ASSERT_EQ(folds.size(), words - 1);
  std::set<std::uint32_t> used;
  for (std::uint32_t i = 0; i < folds.size(); ++i)
    for (const std::uint32_t child : {folds[i].left, folds[i].right}) {
      ASSERT_LT(child, words + i);
      ASSERT_TRUE(used.insert(child).second);
    }
  ASSERT_EQ(used.size(), 2 * words - 2);
}

/// Different pairs below the root.
std::size_t pairs_of(const std::vector<Fold>& folds, std::uint32_t words, const States& states) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> pairs;
  for (const auto& state : states) {
    std::vector<std::uint32_t> nodes = state;
    for (std::size_t i = 0; i + 1 < folds.size(); ++i) {
      const std::pair<std::uint32_t, std::uint32_t> pair{nodes[folds[i].left], nodes[folds[i].right]};
      nodes.push_back(pairs.emplace(pair, 1'000'000 * (words + i) + pairs.size()).first->second);
    }
  }
  return pairs.size();
}

TEST(FoldPlan, IsATreeOverAllWords) {
  Rng rng(3);
  for (std::uint32_t words = 2; words <= 40; ++words) {
    expect_tree(fold_neighbours(words), words);
    for (const std::size_t size : {0u, 1u, 300u}) {
      States sample(size, std::vector<Word>(words));
      for (auto& state : sample)
        for (Word& word : state) word = static_cast<Word>(rng.below(7));
      const auto folds = fold_by_sample(sample, words);
      expect_tree(folds, words);
    }
  }
}

TEST(FoldPlan, WordsThatVaryTogetherAreFoldedTogether) {
  // Words 0, 3 and 4 are one thing, 1, 2 and 5 another: 40 values each, and all combinations.
  States states;
  for (Word a = 0; a < 40; ++a)
    for (Word b = 0; b < 40; ++b) states.push_back({a, b, b * 3, a * 7, a + 1, b ^ 5});
  EXPECT_GT(pairs_of(fold_neighbours(6), 6, states), 3000u);
  EXPECT_LE(pairs_of(fold_by_sample(states, 6), 6, states), 4 * 40u);
}

TEST(FoldPlan, AWordThatIsAlwaysDifferentStaysAlone) {
  Rng rng(5);
  States states;
  for (Word i = 0; i < 2000; ++i) {
    std::vector<Word> state(8);
    for (Word& word : state) word = static_cast<Word>(rng.below(2));
    state[5] = i;
    states.push_back(state);
  }
  const auto folds = fold_by_sample(states, 8);
  EXPECT_TRUE(folds.back().left == 5 || folds.back().right == 5);
  EXPECT_LT(pairs_of(folds, 8, states), 250u);
}

}  // namespace
}  // namespace tarry
