// Limits: what ends a search early, what is said then, and what is explored up to there.
#include <gtest/gtest.h>

#include <thread>

#include "tests/support/fewer.h"
#include "tests/support/figure5.h"
#include "tests/support/random_program.h"
#include "tests/support/registered.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

using namespace std::chrono_literals;

/// A reactive program in the sense of MSR-TR-2015-28, section 4.1: without end, but nothing that goes on for ever without
/// coming back. Process 0 climbs when it is armed, and process 1 arms it; each of them does nothing else.
struct Ladder {
  struct State {
    Upto<1'000'000> height;
    bool armed;
    TARRY_FIELDS(height, armed)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (p == 1) s.armed = true;
    else if (s.armed) ++s.height, s.armed = false;
    run.sends(p);
  }
};

/// Messages: process 0 sends as long as it runs, up to twenty in a mailbox without end; process 1 takes and forgets.
struct Counter {
  struct State {
    Upto<1'000'000> sent, taken;
    TARRY_FIELDS(sent, taken)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (p == 0 && s.sent - s.taken == 20) return run.idle();
    if (p == 1 && s.sent == s.taken) return run.idle();
    p == 0 ? ++s.sent : ++s.taken;
  }
};

template <class Type>
const abi::Model& table() {
  static constexpr abi::Model kTable = detail::Adapter<Type>::table("limits", __FILE__);
  return kTable;
}

SearchOptions small() {
  SearchOptions options;
  options.limits.memory = 64 << 20;
  return options;
}

// Round robin stays with process 0 until it is delayed, and then with process 1. Stratum d is d delays: (d + 1) / 2 times armed,
// d / 2 times climbed. One new state each.
TEST(Limits, AReactiveProgramWithoutEndIsExploredStratumByStratum) {
  for (const std::uint64_t bound : {0u, 1u, 2u, 7u, 100u}) {
    Record record;
    const RecordingProgram program(table<Ladder>(), record);
    SearchOptions options = small();
    options.limits.max_delays = bound;
    const Searched result = run_search(program, "ses", "round-robin", options, {}, &record);
    EXPECT_EQ(result.totals.states, bound + 1);
    EXPECT_FALSE(result.outcome.complete);
    EXPECT_EQ(result.outcome.stopped_by, StoppedBy::kBound);
    EXPECT_EQ(result.outcome.reached, bound);
    EXPECT_TRUE(result.outcome.reached_any);
    EXPECT_EQ(result.outcome.bound, Bound("delays"));
    std::set<std::uint64_t> strata;
    for (const auto& [state, stratum] : record.states) EXPECT_TRUE(strata.insert(stratum).second) << "two states in stratum " << stratum;
  }
}

TEST(Limits, EveryExplorerExploresAReactiveProgramWithoutEnd) {
  for (const Entry<Explorer>& entry : Registry<Explorer>::all()) {
    const auto explorer = entry.kind.make(1);
    Figure5 figure(table<Ladder>(), *explorer, 1);
    figure.run(12);
    Record record;
    const RecordingProgram program(table<Ladder>(), record);
    SearchOptions options = small();
    options.limits.max_delays = 12;
    const Searched result = run_search(program, "ses", entry.name, options, {}, &record);
    EXPECT_EQ(record.states, figure.states) << entry.name;
    EXPECT_EQ(result.outcome.stopped_by, StoppedBy::kBound);
  }
}

TEST(Limits, AGivenDepthCutsAndRulesOutComplete) {
  const RandomProgram random(12, {.cycles = false, .assertions = false});
  ASSERT_TRUE(brute_force(model_of(random)).verified());
  const auto program = make_model_program(model_of(random));
  for (const std::string& search : single_safety_searches()) {
    SCOPED_TRACE(search);
    SearchOptions options = small();
    options.limits.max_depth = 3;
    options.limits.max_depth_given = true;
    const Searched result = run_search(*program, search, "round-robin", options);
    EXPECT_FALSE(result.outcome.complete);
    EXPECT_GT(result.outcome.cut + (result.outcome.bound == "depth" ? 1 : 0), 0u);
    EXPECT_EQ(result.outcome.stopped_by, StoppedBy::kBound);
    EXPECT_TRUE(result.findings.empty());
  }
}

/// Five steps of one process, one way each; the last one fails or does not.
template <bool kFails>
struct Chain {
  static constexpr std::uint32_t kLength = 5;
  struct State {
    Upto<kLength> at;
    TARRY_FIELDS(at)
  };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, Run& run) {
    if (s.at == kLength) return run.ended();
    ++s.at;
    run.expect(!kFails || s.at != kLength, "the last step");
  }
};

// A depth of n allows n steps: neither one less nor one more. One execution is cut, though it has one way on only.
TEST(Limits, AGivenDepthAllowsExactlySoManySteps) {
  const auto chain = make_model_program(table<Chain<false>>());
  const auto failing = make_model_program(table<Chain<true>>());
  for (const Entry<Search>& entry : Registry<Search>::all()) {
    if (entry.kind.reduces) continue;  // dpor_test.cc
    if (!entry.kind.complete || entry.name == "prss") continue;
    for (std::uint32_t depth = 1; depth <= 6; ++depth) {
      SCOPED_TRACE(entry.name + ", depth " + std::to_string(depth));
      SearchOptions options = small();
      options.limits.max_depth = depth;
      options.limits.max_depth_given = true;
      const Searched plain = run_search(*chain, entry.name, "round-robin", options);
      EXPECT_EQ(plain.outcome.complete, depth >= 5);
      EXPECT_EQ(plain.outcome.cut, depth >= 5 ? 0u : 1u);
      EXPECT_EQ(plain.outcome.stopped_by, depth >= 5 ? StoppedBy::kNothing : StoppedBy::kBound);
      const Searched found = run_search(*failing, entry.name, "round-robin", options);
      EXPECT_EQ(found.findings.size(), depth >= 5 ? 1u : 0u);
      EXPECT_FALSE(found.outcome.complete);
    }
  }
}

/// A tree: process 0 and process 1 each go one level down.
struct Tree {
  struct State {
    Upto<30> depth;
    std::uint32_t path;
    TARRY_FIELDS(depth, path)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.depth == 20) return run.ended();
    s.path = s.path * 2 + static_cast<std::uint32_t>(p);
    ++s.depth;
  }
};

// Subtrees that are given away, and given away again, know how deep they are.
TEST(Limits, parallel_AGivenDepthHoldsForSubtreesThatWereGivenAway) {
  const auto program = make_model_program(table<Tree>());
  for (const char* search : {"dfs", "ses", "preemption-bounded"}) {
    for (int round = 0; round < fewer(12); ++round) {
      SearchOptions options = small();
      options.jobs = 3;
      options.limits.max_depth = 14;
      options.limits.max_depth_given = true;
      const Searched result = run_search(*program, search, "round-robin", options);
      ASSERT_EQ(result.totals.states, (1u << 15) - 1) << search;
      ASSERT_EQ(result.outcome.cut, 1u << 14) << search;
      ASSERT_EQ(result.totals.depth, 14u) << search;
    }
  }
}

TEST(Limits, FindingsAreNoLongerThanAGivenDepth) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RandomProgram random(seed + 64'000);
    const Everything truth = brute_force(model_of(random), 5000);
    if (!truth.complete || truth.verified() || truth.shortest_failure() < 2) continue;
    const auto program = make_model_program(model_of(random));
    for (const char* search : {"dfs", "bfs", "ses", "preemption-bounded", "depth-bounded", "random-walk", "pct", "ss"}) {
      SearchOptions options = small();
      options.limits.max_depth = truth.shortest_failure() - 1;
      options.limits.max_depth_given = true;
      options.limits.samples = 50;
      const Searched result = run_search(*program, search, "round-robin", options);
      ASSERT_TRUE(result.findings.empty()) << search << " reports " << result.findings[0].steps << " steps, allowed are "
                                           << options.limits.max_depth << "\n" << random.text();
    }
  }
}

// Not given: executions that are longer are put aside and taken up later, so that nothing is missed.
TEST(Limits, ADepthThatWasNotGivenCutsNothing) {
  for (std::uint64_t seed = 0; seed < fewer(150u); ++seed) {
    const RandomProgram random(seed + 65'000);
    const abi::Model& model = model_of(random);
    const Everything truth = brute_force(model, 5000);
    if (!truth.complete) continue;
    for (const std::string& search : single_safety_searches()) {
      for (const std::uint32_t depth : {1u, 2u, 5u}) {
        for (const bool exact : {false, true}) {
          SCOPED_TRACE(search + " depth " + std::to_string(depth) + " program " + std::to_string(seed) + "\n" + random.text());
          Record record;
          const RecordingProgram program(model, record);
          SearchOptions options = small();
          options.limits.max_depth = depth;
          options.strict_bound = exact;
          const Searched result = run_search(program, search, "round-robin", options, {}, &record);
          ASSERT_EQ(result.findings.empty(), truth.verified());
          if (!truth.verified()) continue;
          ASSERT_TRUE(result.outcome.complete);
          ASSERT_EQ(record.states.size(), truth.states.size());
          ASSERT_EQ(result.outcome.cut, 0u);
          ASSERT_EQ(result.outcome.put_aside, 0u);
        }
      }
    }
  }
}

TEST(Limits, parallel_ADepthThatWasNotGivenCutsNothing) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomProgram random(seed + 66'000);
    const abi::Model& model = model_of(random);
    const Everything truth = brute_force(model, 5000);
    if (!truth.verified()) continue;
    for (const char* search : {"dfs", "ses", "preemption-bounded"}) {
      SCOPED_TRACE(std::string(search) + " program " + std::to_string(seed));
      Record record;
      const RecordingProgram program(model, record);
      SearchOptions options = small();
      options.jobs = 3;
      options.limits.max_depth = 2;
      const Searched result = run_search(program, search, "round-robin", options, {}, &record);
      ASSERT_TRUE(result.outcome.complete);
      ASSERT_EQ(record.states.size(), truth.states.size());
    }
  }
}

TEST(Limits, StatesEndTheSearch) {
  const auto program = make_model_program(table<Counter>());
  for (const std::string& search : single_safety_searches()) {
    SCOPED_TRACE(search);
    SearchOptions options = small();
    options.limits.states = 1000;
    const Searched result = run_search(*program, search, "round-robin", options);
    EXPECT_EQ(result.outcome.stopped_by, StoppedBy::kStates);
    EXPECT_FALSE(result.outcome.complete);
    EXPECT_TRUE(result.findings.empty());
    // prss counts all of its searches.
    EXPECT_LE(result.totals.states, search == "prss" ? 1002u * 16 : 1002u);
  }
}

TEST(Limits, parallel_SamplesEndTheSearch) {
  const auto program = make_model_program(table<Counter>());
  for (const std::string& search : sampling_searches()) {
    if (search == "lockstep") continue;  // ends by itself, after a few executions
    for (const std::uint32_t jobs : {1u, 3u}) {
      SCOPED_TRACE(search);
      SearchOptions options = small();
      options.jobs = jobs;
      options.limits.samples = 77;
      options.limits.max_depth = 50;
      const Searched result = run_search(*program, search, "round-robin", options);
      EXPECT_EQ(result.outcome.stopped_by, StoppedBy::kSamples);
      EXPECT_EQ(result.outcome.samples, 77u);
      EXPECT_FALSE(result.outcome.complete);
      EXPECT_GE(result.totals.executions, 77u);
      EXPECT_GE(result.outcome.cut, 77u) << "none of the executions ends by itself";
    }
  }
}

TEST(Limits, parallel_TimeEndsEverySearch) {
  const auto program = make_model_program(table<Counter>());
  for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
    if (entry.name == "lockstep") continue;  // a few executions, and it is at its end
    for (const std::uint32_t jobs : {1u, 2u}) {
      SCOPED_TRACE(entry.name + " jobs " + std::to_string(jobs));
      SearchOptions options;
      options.jobs = jobs;
      options.limits.memory = 1 << 30;
      options.limits.time = 60ms;
      const auto begin = std::chrono::steady_clock::now();
      const Searched result = run_search(*program, entry.name, "round-robin", options);
      EXPECT_EQ(result.outcome.stopped_by, StoppedBy::kTime);
      EXPECT_FALSE(result.outcome.complete);
      EXPECT_TRUE(result.findings.empty());
      EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
    }
  }
}

TEST(Limits, parallel_AnInterruptEndsEverySearch) {
  const auto program = make_model_program(table<Counter>());
  for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
    if (entry.name == "lockstep") continue;  // a few executions, and it is at its end
    SCOPED_TRACE(entry.name);
    SearchOptions options;
    options.jobs = 2;
    options.limits.memory = 1 << 30;
    const auto progress = std::make_unique<Progress>();
    Session session(*program, options, Registry<Explorer>::find("round-robin")->kind.make, *progress);
    {
      const std::jthread user([&] {
        std::this_thread::sleep_for(40ms);
        progress->stop = true;
      });
      entry.kind.make(with_defaults(entry.params, {}))->run(session);
    }
    EXPECT_EQ(session.outcome.stopped_by, StoppedBy::kInterrupt);
    EXPECT_FALSE(session.outcome.complete);
  }
}

/// One choice among five, then a step for each.
struct OneChoice {
  struct State {
    Upto<5> value;  // + 1
    TARRY_FIELDS(value)
  };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, Run& run) {
    if (s.value != 0) return run.ended();
    s.value = run.choose(5) + 1;
  }
};

TEST(Limits, AValueCostsAsManyDelaysAsItIsOrOne) {
  for (const std::uint64_t bound : {0u, 1u, 2u, 4u}) {
    for (const bool unit : {false, true}) {
      const auto program = make_model_program(table<OneChoice>());
      SearchOptions options = small();
      options.limits.max_delays = bound;
      options.choice_cost = unit ? ChoiceCost::kUnit : ChoiceCost::kValue;
      const Searched result = run_search(*program, "ses", "round-robin", options);
      EXPECT_EQ(result.totals.states, 1 + (unit && bound > 0 ? 5 : bound + 1)) << bound << (unit ? " unit" : " value");
      EXPECT_EQ(result.outcome.complete, bound == 4 || (unit && bound > 0));
    }
  }
}

}  // namespace
}  // namespace tarry::test
