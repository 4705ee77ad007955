// The machines that have no words of their own (plang/vm/layout.h), against a map.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "base/rng.h"
#include "plang/vm/layout.h"

namespace tarry::plang {
namespace {

using Machines = std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>;

std::uint32_t saved(Pool& pool, const Machines& machines) {
  Rest rest;
  rest.load(pool, 0);
  for (const auto& [slot, words] : machines) {
    Rest::Machine& m = rest.at(pool, slot);
    m.config = words.first;
    m.inbox = words.second;
  }
  return rest.save(pool);
}

void expect_same(const Pool& pool, std::uint32_t id, const Machines& expected) {
  Machines found;
  std::uint32_t last = 0;
  Rest::for_each(pool, id, [&](const Rest::Machine& m) {
    EXPECT_TRUE(found.empty() || m.slot > last) << "not in order";
    last = m.slot;
    found[m.slot] = {m.config, m.inbox};
  });
  EXPECT_EQ(found, expected);
  EXPECT_EQ(Rest::count(pool, id), expected.size());
}

/// Few slots, in a few places: within a chunk, at the ends of chunks and groups, far apart.
std::uint32_t any_slot(Rng& rng) {
  constexpr std::uint32_t kPlaces[] = {0, 60, 4090, 4094, 8191, 65'500};
  return kPlaces[rng.below(std::size(kPlaces))] + static_cast<std::uint32_t>(rng.below(rng.below(4) == 0 ? 35 : 8));
}

TEST(Rest, IsTheSameAsAMapInWhateverOrderItChanges) {
  Pool pool;
  pool.intern(std::vector<std::uint64_t>{1});  // number 0 means nothing
  for (std::uint64_t run = 0; run < 300; ++run) {
    Rng rng(7, run);
    Machines expected;
    Rest rest;
    std::uint32_t id = 0;
    for (int step = 0; step < 60; ++step) {
      rest.load(pool, id);
      for (std::uint64_t changes = rng.below(6); changes > 0; --changes) {
        const std::uint32_t slot = any_slot(rng);
        const auto config = static_cast<std::uint32_t>(rng.below(3) == 0 ? 0 : 1 + rng.below(9)), inbox = config == 0 ? 0 : static_cast<std::uint32_t>(rng.below(4));
        Rest::Machine& m = rest.at(pool, slot);
        ASSERT_EQ(m.slot, slot);
        const auto known = expected.find(slot);
        ASSERT_EQ(std::pair(m.config, m.inbox), known == expected.end() ? std::pair(0u, 0u) : known->second);
        m.config = config;
        m.inbox = inbox;
        if (config == 0) expected.erase(slot);
        else expected[slot] = {config, inbox};
      }
      id = rest.save(pool);
      const std::uint32_t asked = any_slot(rng);
      const Rest::Machine m = Rest::find(pool, id, asked);
      const auto known = expected.find(asked);
      ASSERT_EQ(std::pair(m.config, m.inbox), known == expected.end() ? std::pair(0u, 0u) : known->second) << asked;
    }
    expect_same(pool, id, expected);
    ASSERT_EQ(id, saved(pool, expected)) << "equal machines, different words";
    ASSERT_EQ(id == 0, expected.empty());
  }
}

// A step of one of 60,000 machines makes three small objects: its chunk, the list of that group, the list of groups.
TEST(Rest, OfManyMachinesGrowsLittleWithAStep) {
  Pool pool;
  pool.intern(std::vector<std::uint64_t>{1});
  Machines machines;
  for (std::uint32_t slot = 64; slot < 60'064; ++slot) machines[slot] = {1 + slot % 7, 0};
  std::uint32_t id = saved(pool, machines);
  const std::uint64_t before = pool.bytes();
  Rest rest;
  constexpr std::uint32_t kSteps = 10'000;
  for (std::uint32_t step = 0; step < kSteps; ++step) {
    rest.load(pool, id);
    rest.at(pool, 64 + step * 7919 % 60'000).inbox = 1 + step;
    id = rest.save(pool);
  }
  EXPECT_LT((pool.bytes() - before) / kSteps, 2500u);  // the list of all chunks alone would take 7,500
}

}  // namespace
}  // namespace tarry::plang
