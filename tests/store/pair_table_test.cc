// The table of numbered pairs: equal pairs have equal numbers, a number gives its pair back, also where workers number by blocks
// and the table grows between.
#include "store/pair_table.h"

#include <gtest/gtest.h>

#include <barrier>
#include <map>
#include <thread>
#include <vector>

namespace tarry {
namespace {

// 0 is among them: places of numbers that nobody uses hold zeros too.
std::uint64_t pair_of(std::uint64_t i) { return i * 3; }

TEST(PairTable, NumbersPairsInTheOrderInWhichTheyCome) {
  PairTable table(1 << 20);
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(table.intern(pair_of(i)), i);
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(table.intern(pair_of(i)), i);
  EXPECT_EQ(table.size(), 1000u);
}

TEST(PairTable, GrowsAroundNumbersThatNobodyUses) {
  PairTable table(1 << 20);
  PairTable::Numbers one(table), other(table);
  std::map<std::uint64_t, std::uint32_t> expected;
  for (std::uint64_t i = 0; i < 120'000; ++i) {
    if (table.crowded()) table.grow();
    const std::uint64_t pair = pair_of(i);
    expected[pair] = i % 3 == 0 ? table.intern(pair, one) : i % 3 == 1 ? table.intern(pair, other) : table.intern(pair);
  }
  table.grow();
  std::map<std::uint32_t, std::uint64_t> pairs;
  for (const auto& [pair, number] : expected) {
    EXPECT_EQ(table.intern(pair, one), number);
    EXPECT_EQ(table.pair(number), pair);
    EXPECT_TRUE(pairs.emplace(number, pair).second) << number << " is the number of two pairs";
  }
  EXPECT_LE(table.size(), 120'000u + 2 * 63) << "no more than two open blocks";
}

TEST(PairTable, WorkersMeetTheSamePairs) {
  PairTable table(1 << 20);
  constexpr std::uint64_t kPairs = 200'000, kRound = 1000;
  std::vector<std::vector<std::uint32_t>> numbers(2, std::vector<std::uint32_t>(kPairs));
  std::barrier round(2, [&]() noexcept {
    if (table.crowded()) table.grow();
  });
  const auto work = [&](std::size_t worker) {
    PairTable::Numbers mine(table);
    for (std::uint64_t i = 0; i < kPairs; ++i) {
      if (i % kRound == 0) round.arrive_and_wait();
      const std::uint64_t at = worker == 0 ? i : i ^ 1;
      numbers[worker][at] = table.intern(pair_of(at), mine);
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  EXPECT_EQ(numbers[0], numbers[1]);
  for (std::uint64_t i = 0; i < kPairs; ++i) ASSERT_EQ(table.pair(numbers[0][i]), pair_of(i));
}

}  // namespace
}  // namespace tarry
