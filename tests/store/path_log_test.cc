#include "store/path_log.h"

#include <gtest/gtest.h>

#include "core/search.h"
#include "store/interner.h"

namespace tarry {
namespace {

TEST(PathLog, GivesPathsBackFromEveryEntry) {
  MemoryBudget budget(1 << 20);
  PathLog log(budget);
  PathLog::Writer one(log), two(log);
  PathId at = PathId::kRoot;
  std::vector<Move> expected;
  EXPECT_TRUE(log.path(at).empty());
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    at = (i % 3 == 0 ? one : two).add(at, Move{i});
    expected.push_back(Move{i});
    if (i % 997 == 0) {
      ASSERT_EQ(log.path(at), expected);
    }
  }
  EXPECT_EQ(log.path(at), expected);
}

TEST(Interner, parallel_EqualStringsGetEqualNumbers) {
  MemoryBudget budget(64 << 20);
  Interner interner(budget);
  std::vector<std::vector<std::uint32_t>> ids(4);
  run_workers(4, [&](std::uint32_t worker) {
    for (std::uint16_t i = 0; i < 20'000; ++i) {
      const std::uint16_t text[] = {static_cast<std::uint16_t>(i / 3), i, 7};
      ids[worker].push_back(interner.intern(std::span<const std::uint16_t>(text).first(1 + i % 3)));
    }
  });
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(ids[0], ids[3]);
  for (std::uint16_t i = 2; i < 20'000; i += 3) {
    const auto text = interner.get<std::uint16_t>(ids[0][i]);
    ASSERT_EQ(text.size(), 3u);
    ASSERT_EQ(text[1], i);
  }
}

// Two choices among 800 each in one step.
TEST(Moves, HaveRoomForAsManyListsAsTwoLargeChoicesHave) {
  Moves moves(8);
  std::vector<Move> made;
  for (std::uint32_t a = 0; a < 800; ++a)
    for (std::uint32_t b = 0; b < 800; ++b) made.push_back(moves.make(ProcessId{a % 8}, std::vector{a, b}));
  for (std::uint32_t n = 0; n < made.size(); n += 997) {
    EXPECT_EQ(index(moves.process(made[n])), n / 800 % 8);
    EXPECT_EQ(moves.values(made[n]), (std::vector{n / 800, n % 800}));
  }
  EXPECT_FALSE(moves.nearly_full());
}

TEST(Moves, OfProgramsWithThousandsOfProcessesKeepProcessAndValues) {
  constexpr std::uint32_t kProcesses = 65'535;
  const std::vector<std::vector<std::uint32_t>> lists = {{}, {0}, {7}, {1'000'000}, {3, 4}, {4095, 0}, {0, 0, 0, 9}};
  Moves moves(kProcesses);
  std::vector<Move> made;
  for (std::uint32_t p = 0; p < kProcesses; ++p) made.push_back(moves.make(ProcessId{p}, lists[p % lists.size()]));
  for (const std::uint32_t p : {4094u, 4095u, 4096u, kProcesses - 1})
    for (const auto& values : lists) {
      const Move move = moves.make(ProcessId{p}, values);
      EXPECT_EQ(move, moves.make(ProcessId{p}, values));
      EXPECT_EQ(index(moves.process(move)), p);
      EXPECT_EQ(moves.values(move), values);
    }
  for (std::uint32_t p = 0; p < kProcesses; ++p) {
    ASSERT_EQ(index(moves.process(made[p])), p);
    ASSERT_EQ(moves.values(made[p]), lists[p % lists.size()]);
    std::uint32_t first = 99;
    ASSERT_EQ(moves.copy_values(made[p], &first, 1), lists[p % lists.size()].size());
    ASSERT_EQ(first, lists[p % lists.size()].empty() ? 99 : lists[p % lists.size()][0]);
  }
  EXPECT_FALSE(moves.nearly_full());
  EXPECT_EQ(moves.enough(), Moves().enough());  // the further processes cost no room for lists but their own
}

TEST(Moves, SayInTimeThatTheyRunOutOfLists) {
  Moves moves(4096);
  std::uint32_t made = 0;
  for (; !moves.nearly_full(); ++made) moves.make(ProcessId{4095}, std::vector{made / 1000, made % 1000, 7u});
  EXPECT_EQ(made, moves.enough());
  for (std::uint32_t more = 0; more < 100'000; ++more, ++made) {
    const std::vector values{made / 1000, made % 1000, 7u};
    EXPECT_EQ(moves.values(moves.make(ProcessId{0}, values)), values);
  }
}

TEST(Moves, KeepProcessAndValues) {
  Moves moves;
  const std::vector<std::vector<std::uint32_t>> lists = {{}, {0}, {7}, {1, 2, 3}, {1u << 25}, {1, 2, 3, 4}};
  for (const std::uint32_t process : {0u, 1u, 4095u}) {
    for (const auto& values : lists) {
      const Move move = moves.make(ProcessId{process}, values);
      EXPECT_EQ(index(moves.process(move)), process);
      EXPECT_EQ(moves.values(move), values);
      EXPECT_EQ(moves.make(ProcessId{process}, values), move);
    }
  }
}

}  // namespace
}  // namespace tarry
