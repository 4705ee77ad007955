// Numbers for strings stay what they are while the table grows, whoever looks.
#include "store/interner.h"

#include <gtest/gtest.h>

#include <set>

#include "core/search.h"

namespace tarry {
namespace {

std::vector<std::uint32_t> text(std::uint32_t n) {
  std::vector<std::uint32_t> out(1 + n % 5, n);
  out.back() = n * 3;
  return out;
}

TEST(Interner, GivesEveryStringANumberOfItsOwnAndTheStringBack) {
  MemoryBudget budget(256 << 20);
  Interner interner(budget);
  std::vector<std::uint32_t> ids;
  for (std::uint32_t n = 0; n < 200'000; ++n) ids.push_back(interner.intern(std::span<const std::uint32_t>(text(n))));
  EXPECT_EQ(std::set<std::uint32_t>(ids.begin(), ids.end()).size(), ids.size());
  for (std::uint32_t n = 0; n < 200'000; ++n) {
    ASSERT_EQ(interner.intern(std::span<const std::uint32_t>(text(n))), ids[n]);
    const auto back = interner.get<std::uint32_t>(ids[n]);
    ASSERT_EQ(std::vector<std::uint32_t>(back.begin(), back.end()), text(n));
  }
}

TEST(Interner, parallel_EqualStringsHaveOneNumberWhileSlotsGrow) {
  constexpr std::uint32_t kTexts = 30'000;
  MemoryBudget budget(256 << 20);
  Interner interner(budget);
  std::vector<std::vector<std::uint32_t>> ids(4, std::vector<std::uint32_t>(kTexts));
  run_workers(4, [&](std::uint32_t worker) {
    for (std::uint32_t i = 0; i < kTexts; ++i) {
      const std::uint32_t n = (i * 7919 + worker * 101) % kTexts;
      ids[worker][n] = interner.intern(std::span<const std::uint32_t>(text(n)));
      const auto back = interner.get<std::uint32_t>(ids[worker][n]);
      ASSERT_EQ(std::vector<std::uint32_t>(back.begin(), back.end()), text(n));
    }
  });
  for (std::uint32_t worker = 1; worker < 4; ++worker) EXPECT_EQ(ids[worker], ids[0]);
  EXPECT_EQ(std::set<std::uint32_t>(ids[0].begin(), ids[0].end()).size(), kTexts);
}

}  // namespace
}  // namespace tarry
