// The graph of words has exactly the words, whatever they are, and shares beginnings and ends.
#include "enforce/word_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/rng.h"

namespace tarry::enforce {
namespace {

using Words = std::vector<std::vector<std::uint32_t>>;

std::size_t letters_of(const std::vector<Segment>& graph) {
  std::size_t count = 0;
  for (const Segment& segment : graph) count += segment.letters.size();
  return count;
}

TEST(WordGraph, HasExactlyTheWords) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Rng rng(seed, 0);
    std::set<std::vector<std::uint32_t>> words;
    const std::uint32_t length = 1 + static_cast<std::uint32_t>(rng.below(8));
    for (std::uint64_t i = 0, n = 1 + rng.below(40); i < n; ++i) {
      std::vector<std::uint32_t> word;
      for (std::uint32_t k = 0; k < length; ++k) word.push_back(static_cast<std::uint32_t>(rng.below(3)));
      words.insert(word);
    }
    const Words sorted(words.begin(), words.end());
    EXPECT_EQ(words_of(graph_of(sorted)), sorted) << "seed " << seed;
  }
}

TEST(WordGraph, SharesBeginningsAndEnds) {
  Words words;
  for (std::uint32_t choice = 0; choice < 1024; ++choice) {
    std::vector<std::uint32_t> word{1000};
    for (std::uint32_t bit = 0; bit < 10; ++bit) {
      word.push_back(bit * 2 + (choice >> bit & 1));
      word.push_back(500 + bit);
    }
    words.push_back(word);
  }
  std::sort(words.begin(), words.end());
  const auto graph = graph_of(words);
  EXPECT_EQ(words_of(graph), words);
  EXPECT_LT(letters_of(graph), 60);  // 1024 words of 21 letters
}

TEST(WordGraph, OneWordIsOneSegment) {
  const auto graph = graph_of(Words{{4, 5, 6}});
  ASSERT_EQ(graph.size(), 1);
  EXPECT_EQ(graph[0].letters, (std::vector<std::uint32_t>{4, 5, 6}));
}

}  // namespace
}  // namespace tarry::enforce
