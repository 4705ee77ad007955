// The random numbers that searches are made of are what they claim to be. Odds of a false alarm: see tests/support/chi_square.h.
#include <gtest/gtest.h>

#include <array>

#include "base/rng.h"
#include "tests/support/chi_square.h"

namespace tarry::test {
namespace {

TEST(RandomNumbers, ShuffleGivesEveryOrderEquallyOften) {
  std::map<std::array<int, 4>, double> chances;
  std::array<int, 4> order = {0, 1, 2, 3};
  do chances[order] = 1.0 / 24;
  while (std::next_permutation(order.begin(), order.end()));
  // One long stream, and many short ones as the searches use them.
  for (const bool many_streams : {false, true}) {
    std::map<std::array<int, 4>, std::uint64_t> counts;
    Rng rng(7);
    for (std::uint64_t i = 0; i < 240'000; ++i) {
      if (many_streams) rng = Rng(7, i);
      std::array<int, 4> items = {0, 1, 2, 3};
      rng.shuffle(std::span<int>(items));
      ++counts[items];
    }
    const Fit fits = fit(chances, counts);
    EXPECT_TRUE(fits.good()) << fits.text();
  }
}

TEST(RandomNumbers, BelowIsUniform) {
  for (const std::uint64_t n : {2u, 3u, 5u, 6u, 7u, 10u, 100u, 1000u}) {
    std::map<std::uint64_t, double> chances;
    std::map<std::uint64_t, std::uint64_t> counts;
    for (std::uint64_t i = 0; i < n; ++i) chances[i] = 1.0 / static_cast<double>(n);
    Rng rng(11, n);
    for (int i = 0; i < 100'000; ++i) ++counts[rng.below(n)];
    const Fit fits = fit(chances, counts);
    EXPECT_TRUE(fits.good()) << n << ": " << fits.text();
  }
}

// With n = 3 * 2^62 a plain remainder would give the lowest third half of the time.
TEST(RandomNumbers, BelowIsUniformWhereARemainderWouldNotBe) {
  const std::uint64_t third = std::uint64_t{1} << 62;
  std::map<std::uint64_t, std::uint64_t> counts;
  Rng rng(3);
  for (int i = 0; i < 30'000; ++i) ++counts[rng.below(3 * third) / third];
  const Fit fits = fit<std::uint64_t>({{0, 1.0 / 3}, {1, 1.0 / 3}, {2, 1.0 / 3}}, counts);
  EXPECT_TRUE(fits.good()) << fits.text();
}

TEST(RandomNumbers, StreamsWithNeighbouringNamesAreUnrelated) {
  std::map<std::uint64_t, double> chances;
  for (std::uint64_t i = 0; i < 36; ++i) chances[i] = 1.0 / 36;
  std::map<std::uint64_t, std::uint64_t> seeds, runs;
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    ++seeds[Rng(i).below(6) * 6 + Rng(i + 1).below(6)];
    ++runs[Rng(1, i).below(6) * 6 + Rng(1, i + 1).below(6)];
  }
  EXPECT_TRUE(fit(chances, seeds).good()) << fit(chances, seeds).text();
  EXPECT_TRUE(fit(chances, runs).good()) << fit(chances, runs).text();
}

}  // namespace
}  // namespace tarry::test
