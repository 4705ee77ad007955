// The detector against the oracle, on traces made at random. It must blame exactly the accesses that have an earlier one to race
// with, and name one of those for each; so the first race is the same, and a trace has a report if and only if it has a race.
#include <gtest/gtest.h>

#include "tests/native_races/oracle.h"
#include "tests/native_races/trace.h"

namespace tarry::native::testing {
namespace {

std::set<std::size_t> later_of(const Reports& reports) {
  std::set<std::size_t> later;
  for (const auto& [first, second] : reports.races) later.insert(second);
  return later;
}

void expect_agreement(const Trace& trace, const Recorder& recorder) {
  const Reports& found = recorder.reports;
  const Reports expected = all_races(trace);
  for (const Access& access : recorder.all)
    ASSERT_TRUE(is_true(access, trace)) << access.pc - 1 << " is not so\n" << to_text(trace);
  ASSERT_EQ(later_of(found), later_of(expected)) << to_text(trace);
  for (const auto& pair : found.races)
    ASSERT_TRUE(expected.races.contains(pair)) << pair.first << ' ' << pair.second << '\n' << to_text(trace);
  ASSERT_EQ(found.uses_after_free, expected.uses_after_free) << to_text(trace);
}

struct Tally {
  int racy = 0, clean = 0, freed = 0;
};

/// One detector for all of them, reset in between.
Tally compare(std::uint64_t seed, int traces, const Weights& base, std::uint64_t time_limit = kMaxTime) {
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder, time_limit);
  Tally tally;
  for (int i = 0; i < traces; ++i) {
    Rng rng(seed, static_cast<std::uint64_t>(i));
    Weights weights = base;
    weights.threads = 2 + static_cast<std::uint32_t>(rng.below(base.threads - 1));
    weights.length = 4 + static_cast<std::uint32_t>(rng.below(base.length));
    weights.steps = rng.below(4) != 0;
    const Trace trace = random_trace(rng, weights);
    recorder.clear();
    detector.reset();
    detector.forget_reports();
    play(trace, detector);
    expect_agreement(trace, recorder);
    if (::testing::Test::HasFatalFailure()) {
      ADD_FAILURE() << "trace " << i << " of seed " << seed;
      return tally;
    }
    EXPECT_EQ(detector.raced(), !recorder.reports.races.empty() || !recorder.reports.uses_after_free.empty());
    ++(recorder.reports.races.empty() ? tally.clean : tally.racy);
    tally.freed += !recorder.reports.uses_after_free.empty();
  }
  return tally;
}

TEST(RandomTraces, OfAllKindsHaveTheRacesOfTheOracle) {
  const Tally tally = compare(1, 20000, {.threads = 5, .length = 40});
  EXPECT_GT(tally.racy, 3000);
  EXPECT_GT(tally.clean, 1500);
  EXPECT_GT(tally.freed, 1500);
}

TEST(RandomTraces, OfManyAtomicsAndFencesHaveTheRacesOfTheOracle) {
  const Tally tally = compare(2, 20000, {.threads = 3, .length = 30, .plain = 2, .atomic = 10, .fence = 5, .lock = 0, .heap = 0});
  EXPECT_GT(tally.racy, 3000);
  EXPECT_GT(tally.clean, 3000);
}

TEST(RandomTraces, OfLocksAndPlainAccessesHaveTheRacesOfTheOracle) {
  const Tally tally = compare(3, 20000, {.threads = 4, .length = 30, .plain = 4, .atomic = 0, .fence = 0, .lock = 8, .heap = 1});
  EXPECT_GT(tally.racy, 3000);
  EXPECT_GT(tally.clean, 1500);
}

TEST(RandomTraces, OfFewPlacesInTheCodeHaveTheRacesOfTheOracle) {
  // Accesses of the same place are put together. Everything is forgotten at every operation, so that each one that races is told.
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    Rng rng(9, i);
    const Trace trace = random_trace(
        rng, {.threads = 3, .length = 40, .plain = 8, .atomic = 1, .fence = 0, .lock = 8, .heap = 1, .steps = i % 2 == 0});
    const Reports all = all_races(trace);
    std::set<std::size_t> expected = later_of(all), found;
    for (const auto& [use, freed] : all.uses_after_free) expected.insert(use);
    detector.reset();
    for (std::size_t at = 0; at < trace.size(); ++at) {
      detector.forget_reports();
      recorder.clear();
      play(trace[at], 1 + static_cast<unsigned>(trace[at].what), detector);
      if (!recorder.all.empty()) found.insert(at);
    }
    ASSERT_EQ(found, expected) << to_text(trace);
  }
}

TEST(RandomTraces, OfManyThreadsHaveTheRacesOfTheOracle) { compare(4, 400, {.threads = 40, .length = 200, .lock = 8}); }

TEST(RandomTraces, LongOnesHaveTheRacesOfTheOracle) { compare(5, 200, {.threads = 5, .length = 300}); }

TEST(RandomTraces, AreTheSameWhenTimeRunsOut) {
  // Every few executions everything is wiped.
  compare(6, 2000, {.threads = 5, .length = 40}, 300);
}

TEST(RandomTraces, AreTheSameAfterAnotherOneAsAlone) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    Rng rng(7, i);
    const Trace first = random_trace(rng, {.threads = 12, .length = 60}),
                second = random_trace(rng, {.threads = 12, .length = 60});
    TestMemory memory;
    Recorder after, alone;
    RaceDetector detector(memory, after), fresh(memory, alone);
    play(first, detector);
    detector.reset();
    detector.forget_reports();
    after.reports = {};
    play(second, detector);
    play(second, fresh);
    ASSERT_EQ(after.reports, alone.reports) << to_text(first) << to_text(second);
  }
}

// Races are told once. A use after free ends its execution, so it is told each time.
TEST(RandomTraces, PlayedAgainReportNoRaceAndTakeNoMemory) {
  TestMemory memory;
  Recorder recorder;
  RaceDetector detector(memory, recorder);
  Rng rng(8);
  const Trace trace = random_trace(rng, {.threads = 20, .length = 400});
  play(trace, detector);
  const std::size_t mapped = memory.mapped();
  ASSERT_FALSE(recorder.reports.races.empty());
  const auto uses = recorder.reports.uses_after_free;
  ASSERT_FALSE(uses.empty());
  recorder.reports = {};
  for (int i = 0; i < 100; ++i) {
    detector.reset();
    EXPECT_FALSE(detector.raced());
    play(trace, detector);
    EXPECT_TRUE(detector.raced());
    EXPECT_EQ(recorder.reports.races.size(), 0u);
    EXPECT_EQ(recorder.reports.uses_after_free, uses);
    recorder.reports = {};
  }
  EXPECT_EQ(memory.mapped(), mapped);
}

}  // namespace
}  // namespace tarry::native::testing
