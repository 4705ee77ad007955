// Table 1 of MSR-TR-2015-28 in small: a cache on program and explorer state visits the same program states as one on program
// states, over and over with different explorer states.
#include <gtest/gtest.h>

#include "tests/explore/example_models.h"
#include "tests/support/random_program.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

struct Visited {
  std::uint64_t visits;  // of pairs, where the explorer's state counts
  std::set<Words> states;
  bool complete;
};

Visited visit(const abi::Model& model, const std::string& explorer, CacheKey key) {
  Record record;
  const RecordingProgram program(model, record);
  SearchOptions options;
  options.cache = key;
  options.limits.memory = 256 << 20;
  const Searched result = run_search(program, "ses", explorer, options, {}, &record);
  EXPECT_TRUE(result.findings.empty());
  return {result.totals.states, record.set(), result.outcome.complete};
}

/// Two processes that go round three states each. Round robin's queue holds them in one of two orders.
struct Rounds {
  struct State {
    Upto<2> at[2];
    TARRY_FIELDS(at)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run&) { s.at[p] = (s.at[p] + 1) % 3; }
};

// Program states: 3 * 3. With the queue: each of them with either process at the head, 18 in all.
TEST(CacheKey, TwoOrdersOfTheQueueDoubleTheStates) {
  static constexpr abi::Model kTable = detail::Adapter<Rounds>::table("rounds", __FILE__);
  const Visited plain = visit(kTable, "round-robin", CacheKey::kProgram);
  const Visited both = visit(kTable, "round-robin", CacheKey::kProgramAndExplorer);
  EXPECT_EQ(plain.visits, 9u);
  EXPECT_EQ(both.visits, 18u);
  EXPECT_EQ(plain.states, both.states);
  EXPECT_TRUE(plain.complete);
  EXPECT_TRUE(both.complete);
}

TEST(CacheKey, TheExplorersStateMultipliesTheStatesOfTheExamples) {
  for (const Example& example : examples()) {
    if (example.states == 0) continue;
    for (const char* explorer : {"round-robin", "run-to-completion"}) {
      SCOPED_TRACE(example.name + ", " + explorer);
      const Visited plain = visit(example.model, explorer, CacheKey::kProgram);
      const Visited both = visit(example.model, explorer, CacheKey::kProgramAndExplorer);
      EXPECT_EQ(plain.visits, example.states);
      EXPECT_EQ(both.states, plain.states);
      EXPECT_GT(both.visits, plain.visits);
      EXPECT_TRUE(plain.complete && both.complete);
    }
  }
}

// With no cache at all, executions are explored one by one; programs without cycles come to an end.
TEST(CacheKey, WithoutACacheNothingIsMissed) {
  int programs = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const RandomProgram random(seed + 80'000, {.cycles = false, .assertions = false, .choices = true, .creation = true});
    const abi::Model& model = model_of(random);
    const Everything truth = brute_force(model, 60);
    if (!truth.verified()) continue;
    ++programs;
    for (const char* explorer : {"round-robin", "run-to-completion", "random"}) {
      SCOPED_TRACE(std::string(explorer) + "\n" + random.text());
      const Visited plain = visit(model, explorer, CacheKey::kProgram);
      const Visited both = visit(model, explorer, CacheKey::kProgramAndExplorer);
      const Visited none = visit(model, explorer, CacheKey::kNone);
      ASSERT_EQ(plain.visits, truth.states.size());
      ASSERT_EQ(none.states, plain.states);
      ASSERT_EQ(both.states, plain.states);
      ASSERT_GE(both.visits, plain.visits);
      ASSERT_GE(none.visits, both.visits);
      ASSERT_TRUE(plain.complete && both.complete && none.complete);
    }
  }
  EXPECT_GT(programs, 20);
}

}  // namespace
}  // namespace tarry::test
