// Searches by re-execution against plain enumeration: every execution once, the same states and verdicts, bounds that mean what they say.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/explore/thread_program.h"

namespace tarry::test {
namespace {

struct Way {
  std::string search, explorer = "round-robin";
  ParamValues params = {};
};

/// Every search that promises to be complete and works on programs that run.
std::vector<Way> complete_ways() {
  std::vector<Way> out;
  for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
    if (!entry.kind.complete || !entry.kind.runs || entry.name == "portfolio") continue;  // the portfolio has tests of its own
    if (!entry.kind.takes_explorer) out.push_back({entry.name});
    else
      for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) out.push_back({entry.name, explorer.name});
  }
  out.push_back({"bfs", "round-robin", {{"shuffle", 1}}});
  out.push_back({"depth-bounded", "round-robin", {{"stride", 3}}});
  out.push_back({"ses", "round-robin", {{"delta", 2}}});
  return out;
}

SearchOptions plain() {
  SearchOptions options;
  options.limits.memory = 64 << 20;
  options.limits.max_depth = 300;
  options.cache = CacheKey::kNone;
  return options;
}

std::string where(const Way& way, const Threads& threads) {
  std::string out = way.search + ", " + way.explorer;
  for (const auto& [name, value] : way.params) out += " --" + name + " " + std::to_string(value);
  return out + "\n" + threads.text();
}

bool all_different(std::vector<std::vector<Move>> schedules) {
  std::sort(schedules.begin(), schedules.end());
  return std::adjacent_find(schedules.begin(), schedules.end()) == schedules.end();
}

/// Calls f for random programs without a failure that are worth it.
template <class Function>
void for_programs(std::uint64_t first, int count, const Ingredients& with, std::uint32_t fair, Function&& f, std::uint64_t most_executions = 4000) {
  for (std::uint64_t seed = first; count > 0; ++seed) {
    const Threads threads = random_threads(seed, with);
    const Truth truth = truth_of(threads, fair);
    if (truth.too_many || !truth.acyclic || truth.executions > most_executions) continue;
    --count;
    f(threads, truth);
  }
}

TEST(Reexecution, RunsEveryExecutionOnce) {
  std::uint64_t executions = 0;
  for_programs(1000, 60, {.choices = true, .births = true, .most = 3}, 0, [&](const Threads& threads, const Truth& truth) {
    if (truth.deadlocks || truth.fails) return;
    for (const Way& way : complete_ways()) {
      for (const bool leaves_out : {false, true}) {
        SCOPED_TRACE(where(way, threads));
        Seen seen;
        ThreadProgram program(threads, seen);
        program.leaves_out_single = leaves_out;
        const Ran ran = run_threads(program, way.search, plain(), way.explorer, way.params);
        ASSERT_TRUE(ran.findings.empty()) << ran.findings[0].message;
        ASSERT_TRUE(ran.outcome.complete);
        ASSERT_EQ(seen.schedules.size(), truth.executions);
        ASSERT_TRUE(all_different(seen.schedules));
        ASSERT_EQ(seen.finals, truth.finals);
        ASSERT_EQ(seen.states, truth.states);
        ASSERT_EQ(ran.totals.executions, seen.executions);
        executions += truth.executions;
      }
    }
  });
  EXPECT_GT(executions, 50'000u);
}

TEST(Reexecution, ExecutionsThatBeginAnewAreNoOthers) {
  for_programs(7000, 12, {.choices = true, .births = true, .most = 3}, 0, [&](const Threads& threads, const Truth& truth) {
    if (truth.deadlocks || truth.fails) return;
    for (const Way& way : complete_ways())
      for (const std::uint64_t steps : {1u, 3u, 5u})
        for (const CacheKey cache : {CacheKey::kNone, CacheKey::kProgram}) {
          SCOPED_TRACE(where(way, threads));
          Seen seen;
          ThreadProgram program(threads, seen);
          program.begins_anew = steps;
          SearchOptions options = plain();
          options.cache = cache;
          const Ran ran = run_threads(program, way.search, options, way.explorer, way.params);
          ASSERT_TRUE(ran.findings.empty()) << ran.findings[0].message;
          ASSERT_TRUE(ran.outcome.complete);
          ASSERT_EQ(seen.finals, truth.finals);
          ASSERT_EQ(seen.states, truth.states);
          if (cache == CacheKey::kProgram) continue;
          ASSERT_EQ(seen.schedules.size(), truth.executions);
          ASSERT_TRUE(all_different(seen.schedules));
        }
  }, 500);
}

TEST(Reexecution, FairSearchesRunEveryFairExecutionOnce) {
  for (const std::uint32_t every : {1u, 2u})
    for_programs(2000, 30, {.loops = true, .births = true, .most = 3}, every, [&](const Threads& threads, const Truth& truth) {
      if (truth.deadlocks || truth.fails) return;
      for (const Way& way : complete_ways()) {
        SCOPED_TRACE(where(way, threads));
        Seen seen;
        const ThreadProgram program(threads, seen);
        SearchOptions options = plain();
        options.fair = every;
        const Ran ran = run_threads(program, way.search, options, way.explorer, way.params);
        ASSERT_TRUE(ran.findings.empty()) << ran.findings[0].message;
        ASSERT_TRUE(ran.outcome.complete);
        ASSERT_EQ(seen.schedules.size(), truth.executions);
        ASSERT_TRUE(all_different(seen.schedules));
        ASSERT_EQ(seen.states, truth.states);
      }
    }, 2000);
}

TEST(Reexecution, TheHappensBeforeCacheLosesNoFinalStateAndNoVerdict) {
  std::uint64_t with_cache = 0, without = 0;
  for (const std::uint32_t fair : {0u, 1u, 2u}) {
    const Ingredients with{.loops = fair != 0, .asserts = true, .choices = true, .births = true, .most = 4};
    for_programs(3000 + fair * 500, 60, with, fair, [&](const Threads& threads, const Truth& truth) {
      for (const Way& way : complete_ways()) {
        SCOPED_TRACE(where(way, threads) + "fair " + std::to_string(fair));
        Seen seen;
        const ThreadProgram program(threads, seen);
        SearchOptions options = plain();
        options.cache = CacheKey::kProgram;
        options.fair = fair;
        const Ran ran = run_threads(program, way.search, options, way.explorer, way.params);
        ASSERT_EQ(!ran.findings.empty(), truth.fails || truth.deadlocks);
        if (!ran.findings.empty()) {
          ASSERT_TRUE(ran.findings[0].kind == "assertion" ? truth.fails : truth.deadlocks) << ran.findings[0].kind.name();
          continue;
        }
        ASSERT_TRUE(ran.outcome.complete);
        ASSERT_EQ(seen.finals, truth.finals);
        ASSERT_EQ(seen.states, truth.states);
        with_cache += seen.executions;
        without += truth.executions;
      }
    });
  }
  EXPECT_LT(with_cache * 2, without);  // it is of use
}

TEST(Reexecution, WithinEachNumberOfPreemptionsExactlyTheStatesOfThatBoundAreReached) {
  for (const std::uint32_t fair : {0u, 1u}) {
    const Ingredients with{.loops = fair != 0, .choices = true, .births = true, .most = 4};
    for_programs(4000 + fair * 500, 60, with, fair, [&](const Threads& threads, const Truth& all) {
      if (all.deadlocks || all.fails) return;
      for (std::uint32_t bound = 0; bound < 4; ++bound) {
        const Truth truth = truth_of(threads, fair, bound);
        ASSERT_FALSE(truth.too_many);
        for (const CacheKey cache : {CacheKey::kNone, CacheKey::kProgram}) {
          SCOPED_TRACE("bound " + std::to_string(bound) + "\n" + threads.text());
          Seen seen;
          const ThreadProgram program(threads, seen);
          SearchOptions options = plain();
          options.fair = fair;
          options.cache = cache;
          options.limits.max_preemptions = bound;
          const Ran ran = run_threads(program, "preemption-bounded", options);
          ASSERT_TRUE(ran.findings.empty());
          ASSERT_EQ(seen.finals, truth.finals);
          if (cache == CacheKey::kNone) {
            ASSERT_EQ(seen.states, truth.states);
            ASSERT_EQ(seen.schedules.size(), truth.executions);
          }
          ASSERT_EQ(ran.outcome.reached_any, true);
          ASSERT_LE(ran.outcome.reached, bound);
          if (!ran.outcome.complete) {
            ASSERT_EQ(ran.outcome.stopped_by, StoppedBy::kBound);
            ASSERT_EQ(ran.outcome.reached, bound);
          }
        }
      }
    }, 1000);
  }
}

TEST(Reexecution, WithinANumberOfDelaysTheHappensBeforeCacheLosesNoState) {
  std::uint64_t with_cache = 0, without = 0;
  for (const std::uint32_t fair : {0u, 1u}) {
    const Ingredients with{.loops = fair != 0, .choices = true, .births = true, .most = 4};
    for_programs(6000 + fair * 500, 40, with, fair, [&](const Threads& threads, const Truth& all) {
      if (all.deadlocks || all.fails) return;
      for (const Entry<Explorer>& explorer : Registry<Explorer>::all())
        for (const std::int64_t delta : {1, 3})
          for (std::uint32_t bound = 1; bound < 4; ++bound) {
            SCOPED_TRACE(explorer.name + ", " + std::to_string(bound) + "\n" + threads.text());
            Seen cached, plainly;
            const ThreadProgram one(threads, cached), other(threads, plainly);
            SearchOptions options = plain();
            options.fair = fair;
            options.limits.max_delays = bound;
            // With delta 3 the first stratum is everything within the bound but the executions without delays: points come at any cost first.
            run_threads(other, "ses", options, explorer.name, {{"delta", delta}});
            options.cache = CacheKey::kProgram;
            run_threads(one, "ses", options, explorer.name, {{"delta", delta}});
            ASSERT_EQ(cached.states, plainly.states);
            ASSERT_EQ(cached.finals, plainly.finals);
            with_cache += cached.executions;
            without += plainly.executions;
          }
    }, 1000);
  }
  EXPECT_LT(with_cache, without);
}

/// 0: a, b. 1: d, e. 2: yields twice, then c. All are independent, so a, d and the yields give one order, however they come. Is a, d, yield,
/// yield met first, 2 is behind both others; after yield, a, d, yield it is not, and only from there c can come before b and e.
TEST(Reexecution, PrefixesOfTheSameOrderInWhichOthersMayRunAreToldApart) {
  Threads threads;
  threads.variables = 3;
  threads.code = {{{ThreadOp::kStore, 0, 1}, {ThreadOp::kStore, 0, 2}}, {{ThreadOp::kStore, 1, 1}, {ThreadOp::kStore, 1, 2}}, {{ThreadOp::kYield, 0, 0, 1}, {ThreadOp::kYield, 0, 0, 2}, {ThreadOp::kStore, 2, 1}}};
  for (const Way& way : complete_ways()) {
    SCOPED_TRACE(where(way, threads));
    Seen seen;
    const ThreadProgram program(threads, seen);
    SearchOptions options = plain();
    options.fair = 1;
    options.cache = CacheKey::kProgram;
    EXPECT_TRUE(run_threads(program, way.search, options, way.explorer, way.params).outcome.complete);
    EXPECT_EQ(seen.states, truth_of(threads, 1).states);
    EXPECT_EQ(seen.states.size(), 31u);  // of 3 * 3 * 4; c does not come before a or d
  }
}

/// Thread 0 takes the lock that the others want, in its window, and yields: it is behind both from then on, and runs on only since they
/// cannot. When it gives the lock back it could go on, did not yield, and may not: that switch is free, to either of them.
TEST(Reexecution, AFairSwitchIsNoPreemption) {
  const Code other{{ThreadOp::kLock, 0}, {ThreadOp::kUnlock, 0}};
  Threads threads;
  threads.code = {{{ThreadOp::kYield, 0, 0, 1}, {ThreadOp::kLock, 0}, {ThreadOp::kYield, 0, 0, 3}, {ThreadOp::kStore, 0, 1}, {ThreadOp::kUnlock, 0}, {ThreadOp::kStore, 1, 1}}, other, other};
  Seen seen;
  const ThreadProgram program(threads, seen);
  SearchOptions options = plain();
  options.fair = 1;
  options.limits.max_preemptions = 0;
  run_threads(program, "preemption-bounded", options);
  const auto begins = [&](std::initializer_list<std::uint32_t> wanted) {
    return std::any_of(seen.schedules.begin(), seen.schedules.end(), [&](const std::vector<Move>& schedule) {
      return std::equal(wanted.begin(), wanted.end(), schedule.begin(), [](std::uint32_t thread, Move move) { return ProcessId{thread} == Moves().process(move); });
    });
  };
  EXPECT_TRUE(begins({0, 0, 0, 0, 0, 1}));
  EXPECT_TRUE(begins({0, 0, 0, 0, 0, 2}));
  EXPECT_FALSE(begins({0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(seen.schedules.size(), truth_of(threads, 1, 0).executions);
}

/// Two threads that each add one to a variable without a lock: the update is lost with one preemption.
Threads lost_update() {
  const Code add{{ThreadOp::kLoad, 0}, {ThreadOp::kStore, 1, 1}, {ThreadOp::kPut, 0}};
  Threads out;
  out.code = {add, add};
  return out;
}

TEST(Reexecution, CountsOfATinyProgramAreKnown) {
  const Threads threads = lost_update();  // 3 + 3 steps: 6! / (3! 3!) = 20 executions
  for (const Way& way : complete_ways()) {
    SCOPED_TRACE(where(way, threads));
    Seen seen;
    const ThreadProgram program(threads, seen);
    ASSERT_TRUE(run_threads(program, way.search, plain(), way.explorer, way.params).outcome.complete);
    ASSERT_EQ(seen.schedules.size(), 20u);
  }
  Seen seen;
  const ThreadProgram program(threads, seen);
  SearchOptions options = plain();
  options.limits.max_preemptions = 0;
  EXPECT_EQ(run_threads(program, "preemption-bounded", options).totals.executions, 2u);
  EXPECT_EQ(seen.schedules.size(), 2u);
}

/// Threads that have nothing in common have one order for each set of steps done, and each is gone on from once: one execution, and one more
/// for each further way on of each of those points.
TEST(Reexecution, WithTheCacheEachPlaceOfIndependentThreadsIsGoneOnFromOnce) {
  const auto independent = [](std::uint8_t count, std::size_t steps) {
    Threads out;
    out.variables = count;
    for (std::uint8_t t = 0; t < count; ++t) out.code.push_back(Code(steps, {ThreadOp::kAdd, t, 1}));
    return out;
  };
  const auto executions = [](const Threads& threads, const Way& way) {
    Seen seen;
    const ThreadProgram program(threads, seen);
    SearchOptions options = plain();
    options.cache = CacheKey::kProgram;
    EXPECT_TRUE(run_threads(program, way.search, options, way.explorer, way.params).outcome.complete);
    return seen.executions;
  };
  for (const std::string search : {"dfs", "random-dfs", "prss"}) {
    EXPECT_EQ(executions(independent(2, 3), {search}), 1u + 3 * 3);  // of 20
    EXPECT_EQ(executions(independent(3, 2), {search}), 1u + 2 * 2 * 2 * 2 + 3 * 2 * 2);  // of 90
    EXPECT_EQ(executions(independent(3, 4), {search}), 1u + 2 * 4 * 4 * 4 + 3 * 4 * 4);  // of 34,650
  }
}

TEST(Reexecution, DelaysAndPreemptionsOfAFindingAreCounted) {
  Threads threads;  // only the order 1, 0, 1 breaks it
  threads.code = {{{ThreadOp::kStore, 0, 1}}, {{ThreadOp::kStore, 1, 1}, {ThreadOp::kAssert, 0, 0}}};
  threads.code[1][1].value = 0;
  Seen seen;
  const ThreadProgram program(threads, seen);
  const Ran delays = run_threads(program, "ses", plain(), "round-robin");
  ASSERT_EQ(delays.findings.size(), 1u);
  EXPECT_EQ(delays.findings[0].kind, FindingKind("assertion"));
  EXPECT_EQ(delays.findings[0].delays, 0);  // 0, then 1: the first execution
  threads.code[1][1] = {ThreadOp::kAssert, 0, 1};  // and now only if 1 comes first
  const Ran preemptions = run_threads(program, "preemption-bounded", plain());
  ASSERT_EQ(preemptions.findings.size(), 1u);
  EXPECT_EQ(preemptions.findings[0].delays, 0);
  const Ran delayed = run_threads(program, "ses", plain(), "round-robin");
  ASSERT_EQ(delayed.findings.size(), 1u);
  EXPECT_EQ(delayed.findings[0].delays, 1);
  EXPECT_EQ(delayed.findings[0].delayed, (std::vector<std::uint32_t>{1}));
}

TEST(Reexecution, WithFurtherChoicePointsTheSearchStartsOver) {
  for_programs(5000, 40, {.choices = true, .most = 3}, 0, [&](const Threads& threads, const Truth& truth) {
    if (truth.deadlocks || truth.fails || truth.executions < 8) return;
    for (const Way& way : complete_ways()) {
      for (const CacheKey cache : {CacheKey::kNone, CacheKey::kProgram}) {
        SCOPED_TRACE(where(way, threads));
        Seen seen;
        ThreadProgram program(threads, seen);
        program.coarse_runs = 3;
        SearchOptions options = plain();
        options.cache = cache;
        const Ran ran = run_threads(program, way.search, options, way.explorer, way.params);
        ASSERT_TRUE(ran.findings.empty()) << ran.findings[0].message;
        ASSERT_TRUE(ran.outcome.complete);
        ASSERT_EQ(seen.finals, truth.finals);
        if (cache == CacheKey::kNone) {
          ASSERT_EQ(seen.states, truth.states);
        }
        ASSERT_EQ(ran.totals.executions, seen.executions);  // those of before are counted too
      }
    }
  }, 500);
}

TEST(Reexecution, AnExecutionThatIsCutRulesOutVerified) {
  Threads threads;  // waits for what never comes
  threads.code = {{{ThreadOp::kAwait, 0, 1, 1}, {ThreadOp::kYield, 0, 0, 0}}, {{ThreadOp::kStore, 1, 1}}};
  for (const Way& way : complete_ways()) {
    SCOPED_TRACE(where(way, threads));
    Seen seen;
    const ThreadProgram program(threads, seen);
    SearchOptions options = plain();
    options.limits.max_depth = 6;
    const Ran ran = run_threads(program, way.search, options, way.explorer, way.params);
    EXPECT_TRUE(ran.findings.empty());
    EXPECT_FALSE(ran.outcome.complete);
    EXPECT_EQ(ran.outcome.cut, 7u);  // thread 1 after 0 … 5 steps of thread 0, or never
    EXPECT_EQ(ran.outcome.stopped_by, StoppedBy::kBound);
  }
}

TEST(Reexecution, ExecutionsCanGoOnAtRandomBehindTheDepth) {
  const Threads threads = lost_update();
  Seen seen;
  const ThreadProgram program(threads, seen);
  SearchOptions options = plain();
  const Ran ran = run_threads(program, "depth-bounded", options, "round-robin", {{"stride", 2}, {"finish", 1}});
  EXPECT_TRUE(ran.outcome.complete);
  EXPECT_EQ(seen.abandoned, 0u);
  // 4 prefixes of 2 steps, 14 of 4 (16 less 0000 and 1111), 20 executions; each ran to its end.
  EXPECT_EQ(seen.executions, 4u + 14u + 20u);
}

TEST(Reexecution, SamplersRunOnProgramsThatOnlyRun) {
  const Threads threads = lost_update();
  for (const std::string search : {"random-walk", "iterative-random-walk", "pct", "ss"}) {
    SCOPED_TRACE(search);
    Seen seen;
    const ThreadProgram program(threads, seen);
    SearchOptions options = plain();
    options.limits.samples = 200;
    const Ran ran = run_threads(program, search, options);
    EXPECT_TRUE(ran.findings.empty());
    EXPECT_EQ(ran.outcome.stopped_by, StoppedBy::kSamples);
    EXPECT_EQ(ran.outcome.samples, 200u);
    EXPECT_EQ(seen.finals, truth_of(threads).finals);
    // Worker w of n takes the numbers congruent to w: together they run the same samples.
    std::multiset<std::vector<Move>> together, alone(seen.schedules.begin(), seen.schedules.end());
    if (search == "pct") continue;  // learns the number of steps from its own samples
    for (std::uint32_t worker = 0; worker < 3; ++worker) {
      Seen part;
      const ThreadProgram same(threads, part);
      run_threads(same, search, options, "round-robin", {}, {.worker = worker, .workers = 3, .share = nullptr});
      together.insert(part.schedules.begin(), part.schedules.end());
    }
    EXPECT_EQ(together, alone);
  }
}

}  // namespace
}  // namespace tarry::test
