// The table of visited states against std::set.
#include "store/lane_table.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "base/rng.h"

namespace tarry {
namespace {

template <class Lane>
class LaneTableOf : public testing::Test {};
using Lanes = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(LaneTableOf, Lanes);

template <class Lane>
std::uint64_t number(Rng& rng) {
  const std::uint64_t x = rng.next();
  return LaneTable<Lane>::kKeyBits == 64 ? x : x & ((std::uint64_t{1} << LaneTable<Lane>::kKeyBits) - 1);
}

TYPED_TEST(LaneTableOf, HoldsExactlyWhatWasInserted) {
  LaneTable<TypeParam> table(std::uint64_t{1} << 30);
  std::set<std::uint64_t> truth;
  Rng rng(1);
  for (int i = 0; i < 400'000; ++i) {
    // Close numbers, far numbers, and repetitions.
    const std::uint64_t key = i % 3 == 0 ? static_cast<std::uint64_t>(i) : i % 3 == 1 ? number<TypeParam>(rng) : rng.below(100'000);
    Visit visit = table.insert(key);
    while (visit == Visit::kFull) {
      ASSERT_GT(table.bytes_after_growth(), table.bytes());
      table.grow();
      visit = table.insert(key);
    }
    ASSERT_EQ(visit == Visit::kNew, truth.insert(key).second) << key;
  }
  for (const std::uint64_t key : truth) ASSERT_TRUE(table.contains(key));
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t key = number<TypeParam>(rng);
    ASSERT_EQ(table.contains(key), truth.contains(key));
  }
  // The smallest and the largest number are numbers like others.
  const std::uint64_t last = LaneTable<TypeParam>::kKeyBits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << LaneTable<TypeParam>::kKeyBits) - 1;
  EXPECT_EQ(table.contains(last), truth.contains(last));
  EXPECT_EQ(table.insert(last), Visit::kNew);
  EXPECT_EQ(table.insert(last), Visit::kSeen);
  EXPECT_TRUE(table.contains(0));
}

TYPED_TEST(LaneTableOf, parallel_InsertionsHaveOneWinner) {
  LaneTable<TypeParam> table(std::uint64_t{1} << 28);
  while (table.bytes() < (1 << 22)) table.grow();
  std::atomic<std::uint64_t> winners{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      std::uint64_t mine = 0;
      for (std::uint64_t key = 0; key < 100'000; ++key) mine += table.insert(key * 7919) == Visit::kNew ? 1 : 0;
      winners += mine;
    });
  threads.clear();
  EXPECT_EQ(winners, 100'000u);
}

TYPED_TEST(LaneTableOf, IsFullAtItsLimitAndReplaces) {
  LaneTable<TypeParam> table(1 << 19);
  Rng rng(7);
  std::uint64_t key = 0;
  while (true) {
    key = number<TypeParam>(rng);
    if (table.insert(key) != Visit::kFull) continue;
    if (table.bytes_after_growth() == 0) break;
    table.grow();
  }
  EXPECT_LE(table.bytes(), std::uint64_t{1} << 19);
  EXPECT_FALSE(table.contains(key));
  table.replace(key);
  EXPECT_TRUE(table.contains(key));
}

}  // namespace
}  // namespace tarry
