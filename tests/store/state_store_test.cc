// States of every width go in, come out as they were, and are told apart.
#include "store/state_store.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>

#include "base/rng.h"

namespace tarry {
namespace {

Shape wide(std::uint32_t words) { return {words, words * 32, 4, false}; }

std::vector<Word> random_state(Rng& rng, std::uint32_t words) {
  std::vector<Word> state(words);
  for (Word& word : state) word = static_cast<Word>(rng.below(5) == 0 ? rng.next() : rng.below(3));
  return state;
}

TEST(StateStore, GivesStatesOfEveryWidthBack) {
  for (std::uint32_t words = 1; words <= 40; ++words) {
    SearchOptions options;
    MemoryBudget budget(64 << 20);
    StateStore store(wide(words), options, budget);
    const Inside inside(store.gate());
    Rng rng(words);
    std::map<std::vector<Word>, StateKey> keys;
    FoldedState near;
    for (int i = 0; i < 300; ++i) {
      const std::vector<Word> state = random_state(rng, words);
      const StateKey key = i % 2 == 0 ? store.key(state) : store.key(state, &near, nullptr);
      FoldedState fresh;
      ASSERT_EQ(store.key(state, nullptr, &fresh), key);
      near = fresh;
      const auto [at, added] = keys.emplace(state, key);
      ASSERT_EQ(at->second, key);
      ASSERT_EQ(store.visit(key), added ? Visit::kNew : Visit::kSeen);
      std::vector<Word> back(words);
      store.state(key, back.data());
      ASSERT_EQ(back, state);
    }
    std::set<StateKey> distinct;
    for (const auto& [state, key] : keys) distinct.insert(key);
    ASSERT_EQ(distinct.size(), keys.size());
  }
}

// The table of pairs grows while a state is folded, too: one state may have more pairs than it has slots at first.
TEST(StateStore, FoldsAStateOfMorePairsThanTheTableHasSlots) {
  constexpr std::uint32_t kWords = 100'000;
  SearchOptions options;
  MemoryBudget budget(64 << 20);
  StateStore store(wide(kWords), options, budget);
  const Inside inside(store.gate());
  std::vector<Word> state(kWords), back(kWords);
  for (std::uint32_t i = 0; i < kWords; ++i) state[i] = 1'000'000 + i;  // no two pairs are the same, those of pairs included
  const StateKey key = store.key(state);
  store.state(key, back.data());
  EXPECT_EQ(back, state);
  EXPECT_EQ(store.key(state), key);
}

TEST(StateStore, FoldsAsTheShapeSays) {
  for (std::uint32_t words = 3; words <= 20; ++words) {
    Rng rng(words);
    Shape shape = wide(words);
    std::vector<std::uint32_t> open(words);  // a random tree
    for (std::uint32_t i = 0; i < words; ++i) open[i] = i;
    while (open.size() > 1) {
      rng.shuffle(std::span(open));
      shape.folds.push_back({open[open.size() - 1], open[open.size() - 2]});
      open.pop_back();
      open.back() = words + static_cast<std::uint32_t>(shape.folds.size()) - 1;
    }
    SearchOptions options;
    MemoryBudget budget(64 << 20);
    StateStore store(shape, options, budget);
    const Inside inside(store.gate());
    std::set<std::vector<Word>> truth;
    FoldedState folding;
    for (int i = 0; i < 500; ++i) {
      const std::vector<Word> state = random_state(rng, words);
      const StateKey key = store.key(state, &folding);
      ASSERT_EQ(store.visit(key), truth.insert(state).second ? Visit::kNew : Visit::kSeen);
      std::vector<Word> back(words);
      store.state(key, back.data(), &folding);
      ASSERT_EQ(back, state);
      ASSERT_EQ(store.key(state, &folding), key);
      ASSERT_EQ(store.key(state), key);
    }
  }
}

TEST(StateStore, SmallAndLargeNumbersOfPairsAreToldApart) {
  // Words stand for themselves at the root, so they can be as large as they like: on both sides of the border between the tables.
  SearchOptions options;
  MemoryBudget budget(64 << 20);
  Shape shape = wide(3);
  shape.folds = {{1, 2}, {0, 3}};
  StateStore store(shape, options, budget);
  const Inside inside(store.gate());
  std::vector<Word> firsts = {0, 1, 2, 0xffff'ffff, 0xffff'fffe, 0x8000'0000};
  for (Word i = 0; i < 2000; ++i) firsts.push_back(2'965'820 - 1000 + i);  // about the root of 2 to the 43
  for (const Word first : firsts)
    for (Word second = 0; second < 3; ++second) {
      const std::vector<Word> state = {first, second, 0};
      ASSERT_FALSE(store.contains(store.key(state)));
      ASSERT_EQ(store.visit(store.key(state)), Visit::kNew);
    }
  for (const Word first : firsts)
    for (Word second = 0; second < 3; ++second) {
      const std::vector<Word> state = {first, second, 0};
      store.touch(store.key(state));
      ASSERT_TRUE(store.contains(store.key(state)));
      ASSERT_EQ(store.visit(store.key(state)), Visit::kSeen);
    }
}

TEST(StateStore, ManyPairsGrowTheirTable) {
  SearchOptions options;
  MemoryBudget budget(1 << 30);
  StateStore store(wide(4), options, budget);
  const Inside inside(store.gate());
  for (Word i = 0; i < 300'000; ++i) {
    const std::vector<Word> state = {i, i ^ 0xffff, i * 3, 7};
    const StateKey key = store.key(state);
    ASSERT_EQ(store.visit(key), Visit::kNew);
    std::vector<Word> back(4);
    store.state(key, back.data());
    ASSERT_EQ(back, state);
  }
}

TEST(StateStore, TheMemoIsPartOfTheKeyOnlyWhereItWasAskedFor) {
  SearchOptions options;
  MemoryBudget budget(64 << 20);
  StateStore plain(wide(2), options, budget);
  options.cache = CacheKey::kProgramAndExplorer;
  StateStore both(wide(2), options, budget);
  const Inside one(plain.gate()), two(both.gate());
  const std::vector<Word> state = {1, 2};
  EXPECT_EQ(plain.visit(plain.key(state), 1), Visit::kNew);
  EXPECT_EQ(plain.visit(plain.key(state), 2), Visit::kSeen);
  EXPECT_EQ(both.visit(both.key(state), 1), Visit::kNew);
  EXPECT_EQ(both.visit(both.key(state), 2), Visit::kNew);
  EXPECT_EQ(both.visit(both.key(state), 1), Visit::kSeen);
}

TEST(StateStore, SaysFullAtItsBudgetAndForgetsNothingItHolds) {
  for (const WhenFull policy : {WhenFull::kStop, WhenFull::kReplace}) {
    SearchOptions options;
    options.when_full = policy;
    MemoryBudget budget(1 << 20);
    StateStore store({2, 43, 4, false}, options, budget);
    const Inside inside(store.gate());
    std::uint64_t held = 0;
    for (Word i = 0; i < 1'000'000; ++i) {
      const std::vector<Word> state = {i, 0};
      const Visit visit = store.visit(store.key(state));
      if (visit == Visit::kFull) break;
      ++held;
    }
    EXPECT_TRUE(store.full());
    EXPECT_LE(budget.used(), budget.limit());
    EXPECT_GT(held, 100'000u);
    for (Word i = 0; i < held; ++i) {
      const std::vector<Word> state = {i, 0};
      ASSERT_TRUE(store.contains(store.key(state)));
    }
    // Pinned states are found although there is no room for them.
    const std::vector<Word> extra = {5'000'000, 0};
    EXPECT_FALSE(store.contains(store.key(extra)));
    store.pin(store.key(extra));
    EXPECT_EQ(store.visit(store.key(extra)), Visit::kSeen);
    store.unpin(store.key(extra));
    EXPECT_NE(store.visit(store.key(extra)), Visit::kSeen);
  }
}

TEST(StateStore, parallel_WorkersAgreeWhoIsFirst) {
  for (const std::uint32_t words : {2u, 5u}) {
    SearchOptions options;
    options.jobs = 4;
    MemoryBudget budget(256 << 20);
    StateStore store(wide(words), options, budget);
    std::atomic<std::uint64_t> firsts{0};
    run_workers(4, [&](std::uint32_t worker) {
      const Inside inside(store.gate());
      Rng rng(worker);
      std::uint64_t mine = 0;
      for (Word i = 0; i < 60'000; ++i) {
        std::vector<Word> state(words, static_cast<Word>((i * 7 + worker * 131) % 60'000));
        state[1] = i % 2;
        const StateKey key = store.key(state);
        mine += store.visit(key) == Visit::kNew ? 1 : 0;
        std::vector<Word> back(words);
        store.state(key, back.data());
        ASSERT_EQ(back, state);
      }
      firsts += mine;
    });
    std::set<std::pair<Word, Word>> truth;
    for (std::uint32_t worker = 0; worker < 4; ++worker)
      for (Word i = 0; i < 60'000; ++i) truth.insert({static_cast<Word>((i * 7 + worker * 131) % 60'000), i % 2});
    EXPECT_EQ(firsts, truth.size());
  }
}

TEST(StateStore, BitstateNeverForgetsAVisit) {
  SearchOptions options;
  options.store = StoreKind::kBitstate;
  MemoryBudget budget(4 << 20);
  StateStore store(wide(3), options, budget);
  const Inside inside(store.gate());
  for (Word i = 0; i < 20'000; ++i) {
    const std::vector<Word> state = {i, i, 1};
    const StateKey key = store.key(state);
    store.visit(key);
    ASSERT_TRUE(store.contains(key));
  }
}

/// The arrays after `states` visits under a limit, and how many of the visits were of a state that was taken for another.
struct Bitstate {
  std::uint64_t bytes, missed;
};
Bitstate bitstate(std::uint64_t limit, std::uint64_t states) {
  SearchOptions options;
  options.store = StoreKind::kBitstate;
  MemoryBudget budget(limit);
  StateStore store(wide(2), options, budget);
  const Inside inside(store.gate());
  Bitstate out{0, 0};
  for (std::uint64_t i = 0; i < states; ++i) out.missed += store.visit(StateKey{i * 3}) == Visit::kNew ? 0 : 1;
  for (std::uint64_t i = 0; i < states; ++i) EXPECT_TRUE(store.contains(StateKey{i * 3})) << "growing forgets nothing";
  out.bytes = store.bytes();
  EXPECT_EQ(budget.used(), out.bytes) << "all of it is counted";
  return out;
}

TEST(StateStore, BitstateTakesMemoryAsStatesCome) {
  constexpr std::uint64_t kLimit = std::uint64_t{8} << 30;
  EXPECT_EQ(bitstate(kLimit, 1).bytes, 1u << 20) << "not half of the limit at once";
  EXPECT_EQ(bitstate(kLimit, 100'000).bytes, 1u << 20);
  EXPECT_EQ(bitstate(kLimit, 400'000).bytes, 5u << 20);
}

// Thin arrays miss (3/32)^3 = 0.08 % of the states at most when they are closed, and a quarter of that on average: of 2,000,000 states, in
// three arrays, 500 are expected, and 4,000 is out of reach of chance.
TEST(StateStore, BitstateMissesFewStatesWhileItGrows) { EXPECT_LT(bitstate(std::uint64_t{8} << 30, 2'000'000).missed, 4'000u); }

TEST(StateStore, BitstateStaysWithinItsShare) {
  const Bitstate full = bitstate(16 << 20, 3'000'000);
  EXPECT_EQ(full.bytes, (1u << 20) + (4u << 20)) << "a third array, larger than the second, does not fit into half of the limit";
  EXPECT_GT(full.missed, 1'000u) << "the last array takes all that come";
  EXPECT_EQ(bitstate(1, 1000).bytes, 64u) << "no limit is too small";
}

}  // namespace
}  // namespace tarry
