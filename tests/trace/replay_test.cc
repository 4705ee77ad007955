#include "trace/replayer.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "cppmodel/load.h"
#include "tests/trace/scratch_folder.h"
#include "tests/trace/tiny_models.h"
#include "toolchain/object_build.h"

namespace tarry {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): tiny models
using Kind = Choice::Kind;

TEST(Replay, TellsEveryStep) {
  const auto program = program_of<Counter>();
  const Replay run = replay(*program, schedule_of({0, 1, 1, 0}), {});
  EXPECT_FALSE(run.diverged_at) << run.divergence;
  ASSERT_EQ(run.steps.size(), 4u);
  EXPECT_EQ(run.steps[0].number, 1u);
  EXPECT_EQ(run.steps[0].process_name, "ann");
  EXPECT_EQ(run.steps[0].label, "reads 0");
  EXPECT_EQ(run.steps[0].changes, (Narrator::Fields{{"pc[0]", "0 -> 1"}}));
  EXPECT_EQ(run.steps[2].label, "writes 1");
  EXPECT_EQ(run.steps[2].changes, (Narrator::Fields{{"pc[1]", "1 -> 2"}, {"total", "0 -> 1"}}));
  EXPECT_EQ(run.first_state.back().second, "0");
  EXPECT_EQ(run.last_state.back().second, "1");
  EXPECT_EQ(run.fingerprints.size(), 4u);
}

TEST(Replay, MarksSwitchesAndPreemptions) {
  const Replay run = replay(*program_of<Counter>(), schedule_of({0, 1, 1, 0}), {});
  ASSERT_EQ(run.steps.size(), 4u);
  EXPECT_FALSE(run.steps[0].switched || run.steps[0].preempted);
  EXPECT_TRUE(run.steps[1].switched && run.steps[1].preempted);
  EXPECT_FALSE(run.steps[2].switched || run.steps[2].preempted);
  EXPECT_TRUE(run.steps[3].switched);
  EXPECT_FALSE(run.steps[3].preempted) << "the one before had ended";
}

TEST(Replay, EndsWithTheFailureOfTheLastStep) {
  const Replay run = replay(*program_of<Counter>(), schedule_of({0, 1, 1, 0}), {});
  EXPECT_EQ(run.ending.kind, FindingKind("assertion"));
  EXPECT_EQ(run.ending.message, "an update was lost: total is 1");
  EXPECT_EQ(run.ending.location, "counter.cpp:24");
  EXPECT_EQ(replay(*program_of<Counter>(), schedule_of({0, 0, 1, 1}), {}).ending.kind, FindingKind(""));
}

TEST(Replay, InitialStateMayFail) {
  const Replay run = replay(*program_of<Unborn>(), {}, {});
  EXPECT_EQ(run.ending.kind, FindingKind("assertion"));
  EXPECT_EQ(run.ending.location, "unborn.cpp:7");
  EXPECT_FALSE(run.diverged_at);
  EXPECT_EQ(replay(*program_of<Unborn>(), schedule_of({0}), {}).diverged_at, 1u);
}

TEST(Replay, InitialStateMayBeADeadlock) {
  const Replay run = replay(*program_of<Stuck>(), {}, {});
  EXPECT_EQ(run.ending.kind, FindingKind("deadlock"));
  EXPECT_EQ(run.ending.message, "no process can run, and process 1 waits for ever");
}

TEST(Replay, StepsAreAnnouncedBeforeTheyAreTaken) {
  std::vector<std::uint64_t> announced;
  replay(*program_of<Counter>(), schedule_of({0, 1, 1, 0}), {}, [&](std::uint64_t number, const Replay& so_far) {
    announced.push_back(number);
    EXPECT_EQ(so_far.steps.size(), std::min<std::size_t>(announced.size() - 1, 4));
  });
  EXPECT_EQ(announced, (std::vector<std::uint64_t>{1, 2, 3, 4, 4}));
}

TEST(Replay, TellsTheStepsThatAreAskedFor) {
  const auto clock = program_of<Clock>();
  const std::vector<Choice> schedule(100, {Kind::kProcess, 0});
  const Replay run = replay(*clock, schedule, {}, {}, {.first = 3, .last = 2});
  std::vector<std::uint64_t> numbers;
  for (const ReplayedStep& step : run.steps) numbers.push_back(step.number);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{1, 2, 3, 99, 100}));
  EXPECT_EQ(run.steps[3].changes, (Narrator::Fields{{"time", "98 -> 99"}}));
  EXPECT_EQ(run.fingerprints, replay(*clock, schedule, {}).fingerprints) << "all steps are taken";
  EXPECT_TRUE(run.verbose_tells_more);
  EXPECT_FALSE(replay(*clock, schedule, {}).verbose_tells_more);
  const Replay failing = replay(*program_of<Counter>(), schedule_of({0, 1, 1, 0}), {}, {}, {.first = 0, .last = 0});
  ASSERT_EQ(failing.steps.size(), 1u) << "the one that fails is always told";
  EXPECT_EQ(failing.steps[0].number, 4u);
}

TEST(Replay, DataChoices) {
  const auto program = program_of<Cards>();
  const std::vector<Choice> schedule = {{Kind::kProcess, 0}, {Kind::kValue, 1},   {Kind::kValue, 2},
                                        {Kind::kProcess, 1}, {Kind::kProcess, 0}, {Kind::kValue, 0}};
  const Replay run = replay(*program, schedule, {});
  ASSERT_FALSE(run.diverged_at) << run.divergence;
  ASSERT_EQ(run.steps.size(), 3u);
  EXPECT_EQ(run.steps[0].values, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(run.last_state[1].second, "3");
  EXPECT_EQ(run.fingerprints, replay(*program, schedule, run.fingerprints).fingerprints);
}

TEST(Replay, SchedulesThatDoNotFitAreNamed) {
  const auto program = program_of<Cards>();
  const auto divergence = [&](std::vector<Choice> schedule) {
    const Replay run = replay(*program, schedule, {});
    return std::to_string(run.diverged_at.value_or(0)) + " " + run.divergence;
  };
  EXPECT_EQ(divergence({{Kind::kProcess, 1}, {Kind::kProcess, 7}}), "2 there is no process 7: the program has 2");
  EXPECT_EQ(divergence({{Kind::kProcess, 0xffffffffu}}), "1 there is no process 4294967295: the program has 2");
  EXPECT_EQ(divergence({{Kind::kProcess, 0}, {Kind::kValue, 5}}), "1 value 5 of 2: expected 0 to 1");
  EXPECT_EQ(divergence({{Kind::kProcess, 0}, {Kind::kValue, 1}, {Kind::kValue, 3}}), "1 value 3 of 3: expected 0 to 2");
  EXPECT_EQ(divergence({{Kind::kProcess, 0}}), "1 expected a data choice: one of 2 values of process 0");
  EXPECT_EQ(divergence({{Kind::kProcess, 0}, {Kind::kValue, 1}}), "1 expected a data choice: one of 3 values of process 0");
  EXPECT_EQ(divergence({{Kind::kProcess, 1}, {Kind::kValue, 0}}), "1 value 0, but process 1 has no data choice in this step");
  EXPECT_EQ(divergence({{Kind::kProcess, 0}, {Kind::kValue, 0}, {Kind::kValue, 0}}),
            "1 value 0, but process 0 has no further data choice in this step");
  EXPECT_EQ(divergence({{Kind::kValue, 3}}), "1 expected a process, found value 3");
  std::vector<Choice> many = {{Kind::kProcess, 0}};
  for (int i = 0; i < 100; ++i) many.push_back({Kind::kValue, 1});
  EXPECT_EQ(divergence(many), "1 value 1, but process 0 has no further data choice in this step");
  EXPECT_EQ(divergence(std::vector<Choice>(11, {Kind::kProcess, 1})), "11 process 1 cannot run here");
}

TEST(Replay, FailureBeforeTheEndIsADivergence) {
  const Replay run = replay(*program_of<Counter>(), schedule_of({0, 1, 1, 0, 0}), {});
  EXPECT_EQ(run.diverged_at, 4u);
  EXPECT_EQ(run.divergence, "fails already here: an update was lost: total is 1");
}

TEST(Replay, VeryLongExecutionsAreToldAtBothEnds) {
  const Replay run = replay(*program_of<Clock>(), std::vector<Choice>(100'005, {Kind::kProcess, 0}), {});
  EXPECT_EQ(run.fingerprints.size(), 100'005u);
  ASSERT_EQ(run.steps.size(), 100'000u);
  EXPECT_EQ(run.steps[19'999].number, 20'000u);
  EXPECT_EQ(run.steps[20'000].number, 20'006u);
  EXPECT_EQ(run.steps[20'000].changes, (Narrator::Fields{{"time", "20005 -> 20006"}}));
  EXPECT_EQ(run.last_state[0].second, "100005");
}

TEST(Replay, OtherFingerprintIsNoticedAtItsStep) {
  const auto program = program_of<Counter>();
  const std::vector<Choice> schedule = schedule_of({0, 1, 1, 0});
  const std::vector<std::uint32_t> good = replay(*program, schedule, {}).fingerprints;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::vector<std::uint32_t> bad = good;
    bad[i] ^= 1;
    const Replay run = replay(*program, schedule, bad);
    EXPECT_EQ(run.diverged_at, i + 1);
    EXPECT_EQ(run.divergence, "another state than recorded");
    EXPECT_EQ(run.steps.size(), i + 1) << "the step that went another way is shown";
  }
}

TEST(Replay, FlippedChoiceDivergesAtExactlyThatStep) {
  // A chance of 2^-32 for each of some 400 changes that two fingerprints are equal: below 1e-6.
  const auto program = program_of<Cards>();
  Rng rng(7);
  for (int round = 0; round < 40; ++round) {
    std::vector<Choice> schedule;
    std::vector<std::uint64_t> step_of;  // each choice
    for (std::uint64_t step = 1; step <= 10; ++step) {
      const auto put = [&](Kind kind, std::uint64_t number) {
        schedule.push_back({kind, static_cast<std::uint32_t>(number)});
        step_of.push_back(step);
      };
      put(Kind::kProcess, rng.below(2));
      if (schedule.back().number == 1) continue;
      put(Kind::kValue, rng.below(2));
      if (schedule.back().number == 1) put(Kind::kValue, rng.below(3));
    }
    const Replay good = replay(*program, schedule, {});
    ASSERT_FALSE(good.diverged_at);
    for (std::size_t i = 0; i < schedule.size(); ++i) {
      std::vector<Choice> flipped = schedule;
      flipped[i].number = flipped[i].number == 0 ? 1 : flipped[i].number - 1;
      EXPECT_EQ(replay(*program, flipped, good.fingerprints).diverged_at, step_of[i]) << "round " << round << " choice " << i;
    }
  }
}

class PhilosophersReplay : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const ScratchFolder folder;
    const auto built = build_shared_object({.source = TARRY_TEST_SOURCE_DIR "/examples/models/philosophers.cpp",
                                            .defines = {"BUG=1"},
                                            .cache_folder = folder / "cache",
                                            .compiler = "",
                                            .tool = ""});
    ASSERT_TRUE(built) << built.error().text;
    auto loaded = load_model(built->object);
    ASSERT_TRUE(loaded) << loaded.error().text;
    program = std::move(*loaded);
  }
  static void TearDownTestSuite() { program.reset(); }
  static inline std::unique_ptr<Program> program;
};

TEST_F(PhilosophersReplay, EachTakesOneForkAndAllWait) {
  const Replay run = replay(*program, schedule_of({0, 1, 2, 3, 4}), {});
  ASSERT_FALSE(run.diverged_at) << run.divergence;
  EXPECT_EQ(run.ending.kind, FindingKind("deadlock"));
  EXPECT_EQ(run.ending.message,
            "no process can run, and philosopher 0, philosopher 1, philosopher 2, philosopher 3, philosopher 4 wait "
            "for ever");
  ASSERT_EQ(run.steps.size(), 5u);
  EXPECT_EQ(run.steps[2].label, "takes fork 2");
  EXPECT_EQ(run.steps[2].changes, (Narrator::Fields{{"at[2]", "hungry -> has-first"}, {"fork[2]", "false -> true"}}));
  EXPECT_EQ(run.last_state[1].second, "[true true true true true]");
}

TEST_F(PhilosophersReplay, FlippedChoiceDivergesAtExactlyThatStep) {
  const std::vector<Choice> schedule = schedule_of({0, 1, 2, 3, 4});
  const Replay good = replay(*program, schedule, {});
  for (std::uint32_t i = 0; i < 5; ++i)
    for (std::uint32_t other = 0; other < 5; ++other) {
      if (other == i) continue;
      std::vector<Choice> flipped = schedule;
      flipped[i].number = other;
      EXPECT_EQ(replay(*program, flipped, good.fingerprints).diverged_at, i + 1) << other;
    }
}

TEST_F(PhilosophersReplay, WhoWaitsCannotRun) {
  const Replay run = replay(*program, schedule_of({0, 1, 0}), {});
  EXPECT_EQ(run.diverged_at, 3u);
  EXPECT_EQ(run.divergence, "process 0 cannot run here");
}

}  // namespace
}  // namespace tarry
