// Table 1 of MSR-TR-2015-28 in small: a cache on program and explorer state visits the same program states as one on program
// states, over and over with different explorer states.
#include <gtest/gtest.h>

#include "tests/explore/example_models.h"
#include "tests/support/composed.h"
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

/// The pairs of program state and explorer state that steps lead to.
std::uint64_t pairs_of(const abi::Model& model, const Explorer& explorer) {
  Composed program(model);
  std::set<std::pair<Words, std::vector<std::uint16_t>>> seen;
  std::vector<std::pair<Words, Memo>> todo;
  const auto arrive = [&](const Words& state, const Memo& memo) {
    if (seen.insert({state, {memo.begin(), memo.end()}}).second) todo.push_back({state, memo});
  };
  const Words first = *program.initial();
  arrive(first, explorer.initial(program.around(first).alive()));
  while (!todo.empty()) {
    auto [state, memo] = todo.back();
    todo.pop_back();
    const Around around = program.around(state);
    for (std::uint32_t turn = 0; turn < around.open().size(); ++turn) {
      const std::uint32_t process = index(explorer.next(memo, around.open()));
      const auto go = [&](auto&& self, std::vector<std::uint32_t> values) -> void {
        const Moved moved = program.take(state, process, values);
        for (std::uint32_t value = 0; value < moved.arity; ++value) {
          values.push_back(value);
          self(self, values);
          values.pop_back();
        }
        if (moved.arity != 0) return;
        const Around after = program.around(moved.words);
        arrive(moved.words, explorer.step(memo, Composed::step(process, around, after, moved)));
      };
      go(go, {});
      memo = explorer.delay(memo, around.open());
    }
  }
  return seen.size();
}

// Exactly, also with thousands of explorer states: the random explorer has another one for each history.
TEST(CacheKey, TellsAllExplorerStatesApart) {
  std::uint64_t most = 0;
  int programs = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomProgram random(seed + 81'000, {.cycles = false, .assertions = false, .choices = true, .creation = true});
    const abi::Model& model = model_of(random);
    const Everything truth = brute_force(model, 400);
    if (!truth.verified()) continue;
    for (const Entry<Explorer>& entry : Registry<Explorer>::all()) {
      SCOPED_TRACE(entry.name + "\n" + random.text());
      const std::uint64_t pairs = pairs_of(model_of(random), *entry.kind.make(1));
      if (pairs > 100'000) continue;
      ++programs;
      most = std::max(most, pairs);
      ASSERT_EQ(visit(model, entry.name, CacheKey::kProgramAndExplorer).visits, pairs);
    }
  }
  EXPECT_GT(programs, 50);
  EXPECT_GT(most, 5000u);
}

/// Three hundred processes, each of which creates the next one. The last ones run side by side.
struct Generations {
  static constexpr int max_processes = 300;
  struct State {
    Upto<max_processes> created;
    Upto<2> at[3];  // of the last three
    TARRY_FIELDS(created, at)
  };
  int processes(const State& s) { return static_cast<int>(s.created); }
  State initial() { return {.created = 1, .at = {}}; }
  void step(State& s, int p, Run& run) {
    if (s.created < max_processes) {
      if (p + 1 != static_cast<int>(s.created)) return run.ended();
      ++s.created;
      return run.sends(p + 1);
    }
    const int last = p - (max_processes - 3);
    if (last < 0 || s.at[last] == 2) return run.ended();
    ++s.at[last];
    run.sends(max_processes - 1 - last);
  }
};

// Numbers of processes have more than eight bits, in every explorer.
TEST(CacheKey, ExplorersTellHundredsOfProcessesApart) {
  static constexpr abi::Model kTable = detail::Adapter<Generations>::table("generations", __FILE__);
  for (const Entry<Explorer>& entry : Registry<Explorer>::all()) {
    const Visited plain = visit(kTable, entry.name, CacheKey::kProgram);
    EXPECT_TRUE(plain.complete) << entry.name;
    EXPECT_EQ(plain.visits, 299u + 27) << entry.name;
    EXPECT_EQ(visit(kTable, entry.name, CacheKey::kProgramAndExplorer).visits, pairs_of(kTable, *entry.kind.make(1))) << entry.name;
  }
}

// What is counted is said: states once each, or visits.
TEST(CacheKey, AnOutcomeSaysWhetherItCountsStatesOrVisits) {
  static constexpr abi::Model kTable = detail::Adapter<Rounds>::table("rounds", __FILE__);
  const auto program = make_model_program(kTable);
  for (const Entry<Search>& entry : Registry<Search>::all()) {
    if (entry.kind.reduces) continue;  // dpor_test.cc
    if (!entry.kind.complete) continue;
    const Searched result = run_search(*program, entry.name);
    EXPECT_TRUE(result.outcome.complete) << entry.name;
    EXPECT_FALSE(result.outcome.visits) << entry.name;
    if (result.outcome.totals) {
      EXPECT_EQ(result.outcome.totals->states, 9u) << entry.name;
    } else {
      EXPECT_EQ(result.totals.states, 9u) << entry.name;
    }
  }
  for (const bool strict : {false, true}) {
    SearchOptions options;
    options.strict_bound = strict;
    options.cache = CacheKey::kProgramAndExplorer;
    EXPECT_TRUE(run_search(*program, "ses", "round-robin", options).outcome.visits);
    options.cache = CacheKey::kProgram;
    EXPECT_EQ(run_search(*program, "ses", "round-robin", options).outcome.visits, strict);
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
