// The portfolio on programs that can only be run: proves small ones, finds bugs, and is a function of its seed.
#include <gtest/gtest.h>

#include "tests/explore/thread_program.h"

namespace tarry::test {
namespace {

SearchOptions plain(CacheKey cache = CacheKey::kProgram) {
  SearchOptions options;
  options.limits.memory = 64 << 20;
  options.limits.max_depth = 300;
  options.cache = cache;
  return options;
}

/// Three threads of four steps; where stores are no points, of three.
Threads three_by_four() {
  const Code code{{ThreadOp::kAdd, 0, 1}, {ThreadOp::kStore, 1, 1}, {ThreadOp::kAdd, 0, 1}, {ThreadOp::kAdd, 1, 1}};
  Threads out;
  out.code = {code, code, code};
  return out;
}

TEST(RunningPortfolio, ProvesWhatIsSmall) {
  Threads threads;
  threads.code = {{{ThreadOp::kLoad, 0}, {ThreadOp::kPut, 0}}, {{ThreadOp::kLoad, 0}, {ThreadOp::kPut, 0}}};
  Seen seen;
  const ThreadProgram program(threads, seen);
  const Ran ran = run_threads(program, "portfolio", plain(CacheKey::kNone));
  EXPECT_TRUE(ran.outcome.complete);
  EXPECT_EQ(ran.outcome.winner_search, "preemption-bounded");
  EXPECT_EQ(ran.totals.executions, 6u);
  EXPECT_EQ(ran.outcome.totals->executions, 6u);
  EXPECT_EQ(ran.outcome.samples, 0u);  // nobody hunted
  EXPECT_EQ(seen.finals, truth_of(threads).finals);
}

TEST(RunningPortfolio, ProvesInTurnsWithTheHunters) {
  const Threads threads = three_by_four();
  Seen seen;
  const ThreadProgram program(threads, seen);
  const Ran ran = run_threads(program, "portfolio", plain(CacheKey::kNone));
  EXPECT_TRUE(ran.outcome.complete);
  EXPECT_TRUE(ran.findings.empty());
  EXPECT_EQ(seen.states, truth_of(threads).states);
  EXPECT_EQ(ran.outcome.totals->executions, 34'650u);  // 12! / (4! 4! 4!) for the proof; those of the hunters are told apart
  EXPECT_GT(ran.outcome.samples, 0u);
  EXPECT_EQ(ran.totals.executions, 34'650u + ran.outcome.samples);
  const Ran again = run_threads(program, "portfolio", plain(CacheKey::kNone));
  EXPECT_EQ(again.totals.executions, ran.totals.executions);
}

TEST(RunningPortfolio, FurtherPointsThatAHunterMeetsStartTheProofOver) {
  const Threads threads = three_by_four();
  for (const std::uint64_t change : {500u, 1050u, 1250u, 1700u}) {  // in the first look; in the turns of the hunters; in that of the proof
    Seen seen;
    ThreadProgram program(threads, seen);
    program.coarse_runs = change;
    const Ran ran = run_threads(program, "portfolio", plain(CacheKey::kNone));
    EXPECT_TRUE(ran.outcome.complete) << change;
    EXPECT_TRUE(ran.findings.empty()) << change;
    EXPECT_EQ(seen.states, truth_of(threads).states) << change;
    EXPECT_EQ(ran.outcome.totals->executions, 34'650u) << change;  // without those of the program that had fewer points
  }
}

TEST(RunningPortfolio, TheSameSeedGivesTheSameFinding) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Threads threads = random_threads(90'000 + seed, {.loops = true, .asserts = true, .births = true, .most = 3});
    SearchOptions options = plain();
    options.fair = 1;
    options.seed = seed;
    Seen seen;
    const ThreadProgram program(threads, seen);
    const Truth truth = truth_of(threads, 1, {}, 3000);
    if (truth.too_many || (!truth.acyclic && !truth.fails && !truth.deadlocks)) continue;
    const Ran first = run_threads(program, "portfolio", options), second = run_threads(program, "portfolio", options);
    ASSERT_EQ(first.findings.size(), second.findings.size());
    if (truth.acyclic) {
      ASSERT_EQ(!first.findings.empty(), truth.fails || truth.deadlocks) << threads.text();
    }
    if (first.findings.empty()) continue;
    ++found;
    ASSERT_EQ(first.findings[0].schedule, second.findings[0].schedule);
    ASSERT_EQ(first.outcome.winner_search, second.outcome.winner_search);
    ASSERT_EQ(first.totals.executions, second.totals.executions);
  }
  EXPECT_GT(found, 10);
}

TEST(RunningPortfolio, FindingsThatEndNoSearchAreKept) {
  const Threads threads = three_by_four();
  for (const std::uint64_t first : {1u, 1020u}) {  // met by the proof, or by a hunter
    Seen seen;
    ThreadProgram program(threads, seen);
    program.notes_at = first;
    const Ran ran = run_threads(program, "portfolio", plain(CacheKey::kNone));
    EXPECT_TRUE(ran.outcome.complete);
    ASSERT_EQ(ran.findings.size(), 1u) << first;
    EXPECT_EQ(ran.findings[0].kind, FindingKind("spin-wait"));
    EXPECT_EQ(ran.outcome.winner_search, "preemption-bounded");
  }
}

TEST(RunningPortfolio, ABoundThatTheUserGaveEndsIt) {
  const Threads threads = three_by_four();
  Seen seen;
  const ThreadProgram program(threads, seen);
  SearchOptions options = plain();
  options.limits.max_preemptions = 1;
  const Ran ran = run_threads(program, "portfolio", options);
  EXPECT_FALSE(ran.outcome.complete);
  EXPECT_EQ(ran.outcome.stopped_by, StoppedBy::kBound);
  EXPECT_EQ(ran.outcome.reached, 1u);
  EXPECT_EQ(ran.outcome.bound, Bound("preemptions"));
}

}  // namespace
}  // namespace tarry::test
