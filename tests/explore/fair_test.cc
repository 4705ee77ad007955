// Fair scheduling: the examples of the paper, single rules of the algorithm, and what is said of executions that do not end.
#include <gtest/gtest.h>

#include <tarry/model.h>

#include "cppmodel/model_program.h"
#include "explore/fair.h"
#include "explore/memory_share.h"
#include "tests/explore/thread_program.h"
#include "tests/support/registered.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

SearchOptions fair(std::uint32_t every, std::uint32_t max_depth = 300) {
  SearchOptions options;
  options.limits.memory = 64 << 20;
  options.limits.max_depth = max_depth;
  options.cache = CacheKey::kNone;
  options.fair = every;
  return options;
}

/// A scheduler that is told of steps by hand. Sets are given as numbers, bit by bit.
struct ByHand {
  explicit ByHand(std::uint32_t every) : fairness(every) { fairness.begin(1); }
  void step(std::uint32_t thread, std::uint64_t before, std::uint64_t after, bool yields = false, std::uint64_t alive = 0xff) {
    fairness.stepped({.process = ProcessId{thread}, .open_before = ProcessSet({&before, 1}), .open_after = ProcessSet({&after, 1}), .alive_before = ProcessSet({&alive, 1}),
                      .alive_after = ProcessSet({&alive, 1}), .sent = {}, .order = {}, .yielded = yields});
  }
  void contends(std::uint32_t thread, Contest how, bool yields = false) {
    const std::uint64_t both = 0b11;
    const ProcessSet set({&both, 1});
    fairness.stepped({.process = ProcessId{thread}, .open_before = set, .open_after = set, .alive_before = set, .alive_after = set, .sent = {}, .order = {}, .yielded = yields, .contest = how});
  }
  std::uint64_t schedulable(std::uint64_t open) const {
    std::uint64_t out = 0;
    fairness.schedulable({&open, 1}, &out);
    return out;
  }
  Fairness fairness;
};
constexpr bool kYields = true;

// Thread u is 0, t is 1.
TEST(Fair, Figure4TheSecondYieldPutsTheSpinningThreadBehind) {
  ByHand s(1);
  s.step(0, 0b11, 0b11);
  EXPECT_EQ(s.schedulable(0b11), 0b11u);
  s.step(0, 0b11, 0b11, kYields);  // its window begins
  EXPECT_EQ(s.schedulable(0b11), 0b11u);
  s.step(0, 0b11, 0b11);
  s.step(0, 0b11, 0b11, kYields);
  EXPECT_TRUE(s.fairness.restricts());
  EXPECT_EQ(s.schedulable(0b11), 0b10u);
  EXPECT_EQ(s.schedulable(0b01), 0b01u);  // while t cannot run, u can
  s.step(1, 0b11, 0b11);
  EXPECT_FALSE(s.fairness.restricts());  // t has run
}

TEST(Fair, AThreadThatWasDisabledInTheWindowGoesFirst) {
  ByHand s(1);
  s.step(0, 0b11, 0b11, kYields);
  s.step(0, 0b11, 0b01);  // takes the lock that 1 wants
  s.step(0, 0b01, 0b11);  // gives it back
  s.step(0, 0b11, 0b11, kYields);
  EXPECT_EQ(s.schedulable(0b11), 0b10u);
}

TEST(Fair, WhoeverSomebodyElseDisabledIsNotPutFirst) {
  ByHand s(1);
  s.step(0, 0b111, 0b111, kYields);
  s.step(2, 0b111, 0b101);  // 2 disables 1
  s.step(0, 0b101, 0b101, kYields);
  EXPECT_FALSE(s.fairness.restricts());  // 1 could not run all the time, and it was not 0 that kept it
}

/// Who is enabled is asked after the step: what each thread does next counts.
TEST(Fair, EnabledIsAboutTheStateAfterTheStep) {
  ByHand s(1);
  s.step(0, 0b001, 0b011, kYields);  // the yield itself wakes 1
  s.step(0, 0b011, 0b011, kYields);
  EXPECT_EQ(s.schedulable(0b011), 0b010u);
}

TEST(Fair, AnUnprocessedYieldDoesNotCloseTheWindow) {
  ByHand s(2);
  s.step(0, 0b11, 0b11, kYields);
  s.step(0, 0b11, 0b11, kYields);  // processed: the window begins
  s.step(1, 0b11, 0b11);           // 1 runs in it
  s.step(0, 0b11, 0b11, kYields);  // not processed
  s.step(0, 0b11, 0b11, kYields);  // processed
  EXPECT_FALSE(s.fairness.restricts());
  s.step(0, 0b11, 0b11, kYields);
  EXPECT_FALSE(s.fairness.restricts());
  s.step(0, 0b11, 0b11, kYields);
  EXPECT_EQ(s.schedulable(0b11), 0b10u);
}

TEST(Fair, WhoGivesWayWaitsUntilTheOthersHaveWhatTheyWant) {
  ByHand s(1);
  s.contends(0, Contest::kContends), s.contends(1, Contest::kContends);
  EXPECT_FALSE(s.fairness.restricts());
  s.contends(0, Contest::kGivesWay);
  EXPECT_EQ(s.schedulable(0b11), 0b10u);
  EXPECT_EQ(s.schedulable(0b01), 0b01u);  // while 1 cannot run, 0 can
  s.contends(1, Contest::kContends);
  EXPECT_EQ(s.schedulable(0b11), 0b10u);  // 1 has run, and has not got all that it wants
  s.contends(1, Contest::kGivesWay);
  EXPECT_EQ(s.schedulable(0b11), 0b10u);  // no circle: somebody can run
  s.step(1, 0b11, 0b11);
  EXPECT_FALSE(s.fairness.restricts());
}

TEST(Fair, WhoYieldsIsNotPutBehindOneThatGivesWayToIt) {
  ByHand s(1);
  s.contends(1, Contest::kContends), s.contends(0, Contest::kGivesWay);
  for (int i = 0; i < 3; ++i) {
    s.contends(1, Contest::kContends, kYields);
    EXPECT_EQ(s.schedulable(0b11), 0b10u);
  }
  s.step(1, 0b11, 0b01, false, 0b01);  // it ends
  EXPECT_FALSE(s.fairness.restricts());
}

TEST(Fair, WhoOnlyBacksOffYields) {
  ByHand s(1);
  s.contends(1, Contest::kContends);
  s.contends(0, Contest::kBacksOff), s.contends(0, Contest::kBacksOff);
  EXPECT_EQ(s.schedulable(0b11), 0b10u);
  s.contends(1, Contest::kContends);
  EXPECT_FALSE(s.fairness.restricts());  // it has run
}

TEST(Fair, AThreadBornLaterIsNotPartOfAnOldWindow) {
  ByHand s(1);
  s.step(0, 0b001, 0b001, kYields, 0b001);
  const std::uint64_t before = 0b001, after = 0b101;
  s.fairness.stepped({.process = ProcessId{0}, .open_before = ProcessSet({&before, 1}), .open_after = ProcessSet({&after, 1}), .alive_before = ProcessSet({&before, 1}),
                      .alive_after = ProcessSet({&after, 1}), .sent = {}, .order = {}, .yielded = false});
  s.step(0, 0b101, 0b101, kYields, 0b101);
  EXPECT_FALSE(s.fairness.restricts());  // 2 was not there when the window began
  s.step(0, 0b101, 0b101, kYields, 0b101);
  EXPECT_EQ(s.schedulable(0b101), 0b100u);  // but in the next one it was
}

TEST(Fair, AThreadThatEndedLeavesNoTrace) {
  ByHand fresh(1), used(1);
  used.step(0, 0b11, 0b11, kYields, 0b11);
  used.step(0, 0b11, 0b10, false, 0b10);
  EXPECT_EQ(used.fairness.signature(), fresh.fairness.signature());
}

TEST(Fair, WorksForMoreThreadsThanAWordHasBits) {
  Fairness fairness(1);
  fairness.begin(4);
  std::array<std::uint64_t, 4> all{~0ull, ~0ull, ~0ull, 0xff}, out{};
  const auto step = [&](std::uint32_t thread, bool yields) {
    fairness.stepped({.process = ProcessId{thread}, .open_before = ProcessSet(all), .open_after = ProcessSet(all), .alive_before = ProcessSet(all), .alive_after = ProcessSet(all), .sent = {}, .order = {}, .yielded = yields});
  };
  step(150, kYields);
  step(7, false);
  step(199, false);
  step(150, kYields);
  fairness.schedulable(all, out.data());
  EXPECT_EQ(ProcessSet(out).size(), 199u);
  EXPECT_FALSE(ProcessSet(out).contains(ProcessId{150}));
  for (std::uint32_t t = 0; t < 199; ++t)
    if (t != 7 && t != 150) step(t, false);
  fairness.schedulable(all, out.data());
  EXPECT_EQ(ProcessSet(out).size(), 200u);
}

/// Takes the first fork, tries to take the second, and starts again if it cannot.
Code philosopher(std::uint8_t first, std::uint8_t second) {
  return {{ThreadOp::kLock, first}, {ThreadOp::kTryLock, second, 0, 4}, {ThreadOp::kUnlock, first}, {ThreadOp::kUnlock, second, 0, 6}, {ThreadOp::kUnlock, first}, {ThreadOp::kYield, 0, 0, 0}};
}

/// Figure 1: two philosophers, each with a fork of its own to begin with.
Threads figure1() {
  Threads out;
  out.variables = 0;
  out.code = {philosopher(0, 1), philosopher(1, 0)};
  return out;
}

/// Dining philosophers as in table 2: as figure 1, but for the last one, who takes the forks in the same order as its neighbour.
Threads philosophers(std::uint8_t count) {
  Threads out;
  out.variables = 0;
  out.locks = count;
  for (std::uint8_t i = 0; i < count; ++i) {
    const auto next = static_cast<std::uint8_t>((i + 1) % count);
    out.code.push_back(philosopher(std::min(i, next), std::max(i, next)));
  }
  return out;
}

TEST(Fair, Figure1TheLivelockIsFound) {
  const Threads threads = figure1();
  Seen seen;
  const ThreadProgram program(threads, seen);
  const Ran ran = run_threads(program, "dfs", fair(1));  // each round of it takes preemptions, so those who bound them come to it late
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].kind, FindingKind("livelock")) << ran.findings[0].message;
  EXPECT_EQ(ran.findings[0].steps, 300u);
  EXPECT_NE(ran.findings[0].message.find("thread 0, thread 1 all run and yield"), std::string::npos) << ran.findings[0].message;
}

/// The number of executions that have not ended after so many steps, counted from the states.
std::uint64_t unfinished(const Threads& threads, std::uint32_t depth) {
  std::map<Cells, std::uint64_t> now{{threads.initial(), 1}};
  for (std::uint32_t i = 0; i < depth; ++i) {
    std::map<Cells, std::uint64_t> next;
    for (const auto& [state, count] : now)
      for (std::uint32_t t = 0; t < threads.size(); ++t)
        if (threads.enabled(state, t)) next[threads.step(state, t, 0).after] += count;
    now.swap(next);
  }
  std::uint64_t out = 0;
  for (const auto& [state, count] : now)
    if (threads.enabled_set(state) != 0) out += count;
  return out;
}

TEST(Fair, Figure1TheLivelockIsFoundInLockstepAndByThePortfolio) {
  const Threads threads = figure1();
  for (const std::string search : {"lockstep", "portfolio"}) {
    SCOPED_TRACE(search);
    Seen seen;
    const ThreadProgram program(threads, seen);
    const Ran ran = run_threads(program, search, fair(1));
    ASSERT_EQ(ran.findings.size(), 1u);
    EXPECT_EQ(ran.findings[0].kind, FindingKind("livelock"));
    EXPECT_EQ(ran.findings[0].message.find("after 300 steps of a fair schedule the program still runs: steps 1 to 8 repeat 37 times; thread 0, thread 1 all run and yield"), 0u) << ran.findings[0].message;
    EXPECT_LE(ran.totals.executions, 1001u);
  }
}

TEST(Fair, Figure2WithoutFairnessNonterminatingExecutionsGrowExponentially) {
  const Threads threads = figure1();
  std::uint64_t before = 0;
  for (const std::uint32_t depth : {10u, 15u, 20u}) {
    Seen seen;
    const ThreadProgram program(threads, seen);
    const Ran ran = run_threads(program, "dfs", fair(0, depth));
    EXPECT_TRUE(ran.findings.empty());
    EXPECT_FALSE(ran.outcome.complete);
    EXPECT_EQ(ran.outcome.cut, unfinished(threads, depth));
    EXPECT_GT(ran.outcome.cut, 4 * before);  // five steps more, at least four times as many
    before = ran.outcome.cut;
  }
}

TEST(Fair, Figure3HasFiveExecutions) {
  Threads threads;  // t sets x, u waits for it in a loop that yields
  threads.code = {{{ThreadOp::kStore, 0, 1}}, {{ThreadOp::kAwait, 0, 1, 2}, {ThreadOp::kUnlock, 0, 0, 3}, {ThreadOp::kYield, 0, 0, 0}}};
  for (const std::uint32_t every : {1u, 2u, 3u}) {
    Seen seen;
    const ThreadProgram program(threads, seen);
    const Ran ran = run_threads(program, "dfs", fair(every));
    EXPECT_TRUE(ran.outcome.complete);
    EXPECT_TRUE(ran.findings.empty());
    // t comes after 0 … 4 k steps of u; u goes round 2 k times at most, since the window opens at the k-th yield and closes at the 2 k-th.
    EXPECT_EQ(seen.schedules.size(), 1 + 4 * every);
  }
}

TEST(Fair, Table2AllStatesOfThePhilosophersAreVisited) {
  for (const std::uint8_t count : {2, 3}) {
    const Threads threads = philosophers(count);
    const Truth all = truth_of(threads);
    EXPECT_FALSE(all.acyclic);  // it has to be fair to end
    for (const std::string search : {"dfs", "preemption-bounded", "ses"}) {
      SCOPED_TRACE(search + " of " + std::to_string(count));
      Seen seen;
      const ThreadProgram program(threads, seen);
      SearchOptions options = fair(1);
      if (count == 3) options.cache = CacheKey::kProgram;  // or there are too many
      const Ran ran = run_threads(program, search, options);
      EXPECT_TRUE(ran.findings.empty()) << ran.findings[0].message;
      EXPECT_TRUE(ran.outcome.complete);
      EXPECT_TRUE(seen.states == all.states) << seen.states.size() << " of " << all.states.size();
    }
  }
}

/// Thread 1 looks at a variable that thread 0 sets, so often, with a yield after each look, and fails if it never saw it.
Threads poll(std::uint8_t times) {
  Threads threads;
  Code looks;
  const auto end = static_cast<std::uint8_t>(3 * times + 1);
  for (std::uint8_t i = 0; i < times; ++i) {
    const auto at = static_cast<std::uint8_t>(3 * i);
    looks.push_back({ThreadOp::kAwait, 0, 1, static_cast<std::uint8_t>(at + 2)});
    looks.push_back({ThreadOp::kYield, 0, 0, end});
    looks.push_back({ThreadOp::kYield, 0, 0, static_cast<std::uint8_t>(at + 3)});
  }
  looks.push_back({ThreadOp::kAssert, 0, 1});
  looks.push_back({ThreadOp::kLoad, 0});
  threads.code = {{{ThreadOp::kStore, 0, 1}}, looks};
  return threads;
}

TEST(Fair, KRisesUntilNoChoiceIsRemoved) {
  for (const std::uint8_t times : {3, 8, 17}) {
    for (const std::string search : {"dfs", "preemption-bounded", "portfolio"}) {
      SCOPED_TRACE(search + " of " + std::to_string(times));
      Seen seen;
      const Threads polls = poll(times);
      const ThreadProgram program(polls, seen);
      SearchOptions options = fair(1);
      const Ran once = run_threads(program, search, options);  // the thread never gives up, and the verdict has to say so
      EXPECT_TRUE(once.findings.empty() && once.outcome.complete);
      EXPECT_EQ(once.outcome.fair, 1u);
      options.raise_fair = true;
      const Ran ran = run_threads(program, search, options);
      ASSERT_EQ(ran.findings.size(), 1u);
      EXPECT_EQ(ran.findings[0].kind, FindingKind("assertion"));
      Threads fixed = poll(times);
      fixed.code[1][3u * times] = {ThreadOp::kLoad, 0};
      const ThreadProgram right(fixed, seen);
      const Ran all = run_threads(right, search, options);
      EXPECT_TRUE(all.findings.empty() && all.outcome.complete);
      EXPECT_EQ(all.outcome.fair, 0u);
    }
  }
}

TEST(FairParallel, parallel_WorkersRaiseKTogether) {
  Threads fixed = poll(8);
  fixed.code[1][24] = {ThreadOp::kLoad, 0};
  Seen seen;
  const ThreadProgram program(fixed, seen);
  SearchOptions options = fair(1);
  options.raise_fair = true;
  constexpr std::uint32_t kWorkers = 3;
  MemoryShare share(kWorkers);
  std::vector<Outcome> outcomes(kWorkers);
  run_workers(kWorkers, [&](std::uint32_t i) {
    outcomes[i] = run_threads(program, "dfs", options, "round-robin", {}, {.worker = i, .workers = kWorkers, .share = &share.of(i)}).outcome;
  });
  for (const Outcome& outcome : outcomes) EXPECT_TRUE(outcome.complete && outcome.fair == 0);
}

TEST(Fair, AThreadThatSpinsWithoutYieldingIsNoGoodSamaritan) {
  Threads threads;  // 1 spins on what 0 would set; the scheduler has no reason to take it off
  threads.code = {{{ThreadOp::kStore, 0, 1}}, {{ThreadOp::kAwait, 0, 1, 0}}};
  Seen seen;
  const ThreadProgram program(threads, seen);
  SearchOptions options = fair(1, 100);
  const Ran ran = run_threads(program, "dfs", options);
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].kind, FindingKind("good-samaritan"));
  EXPECT_EQ(ran.findings[0].message.find("after 100 steps of a fair schedule the program still runs: steps 1 to 1 repeat 94 times, and thread 1 runs"), 0u) << ran.findings[0].message;
  const Ran longer = run_threads(program, "dfs", fair(1, 2000));
  EXPECT_EQ(longer.findings[0].message.find("after 2,000 steps of a fair schedule the program still runs: steps 1 to 1 repeat 1,875 times"), 0u) << longer.findings[0].message;
  options.samaritan = false;
  const Ran tolerant = run_threads(program, "dfs", options);
  EXPECT_TRUE(tolerant.findings.empty());
  EXPECT_EQ(tolerant.outcome.cut, 2u);  // thread 0 in the last step, or not at all
  EXPECT_FALSE(tolerant.outcome.complete);
}

TEST(Fair, TheRepeatingPartIsNamed) {
  struct Alternate final : Policy {  // the livelock of section 1
    std::uint32_t pick(const ChoicePoint& point) override {
      const auto want = ProcessId{static_cast<std::uint32_t>(at_++ % 2)};
      return index(point.survey.open().contains(want) ? want : point.survey.open().at(0));
    }
    int at_ = 0;
  } alternate;
  const Threads threads = figure1();
  Seen seen;
  const ThreadProgram program(threads, seen);
  Progress progress;
  const SearchOptions options = fair(1, 100);
  Session session(program, options, nullptr, progress);
  FairPolicy policy(1);
  policy.wrap(alternate);
  const ExecutionResult result = program.execution(session, 0)->run(policy);
  ASSERT_EQ(result.end, End::kCut);
  const Endless endless = policy.endless([](ProcessId p) { return "P" + std::to_string(index(p)); }).value();
  EXPECT_EQ(endless.text.kind, FindingKind("livelock"));
  EXPECT_EQ(endless.from, 0u);
  EXPECT_EQ(endless.to, 8u);  // lock, try, unlock, yield of both
  EXPECT_EQ(endless.times, 12u);
  EXPECT_EQ(endless.text.who, (std::vector<std::string>{"P0", "P1"}));
}

/// Process 1 waits in a loop for process 0, and yields.
struct SpinningModel {
  struct State {
    bool set, seen;
    TARRY_FIELDS(set, seen)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (p == 0 ? s.set : s.seen) return run.ended();
    if (p == 0) s.set = true;
    else if (s.set) s.seen = true;
    else run.yields();
  }
};

TEST(Fair, ModelsAreRunFairlyToo) {
  static constexpr abi::Model kTable = detail::Adapter<SpinningModel>::table("spinning", __FILE__);
  const auto program = make_model_program(kTable);
  for (const std::string& search : complete_running_searches()) {
    const Searched result = run_search(*program, search, "round-robin", fair(1));
    EXPECT_TRUE(result.findings.empty()) << search;
    EXPECT_TRUE(result.outcome.complete) << search;
    EXPECT_EQ(result.outcome.cut, 0u) << search;
  }
  // 0 comes after none, one or two rounds of 1.
  EXPECT_EQ(run_search(*program, "dfs", "round-robin", fair(1)).totals.executions, 3u);
  SearchOptions options = fair(0, 100);
  options.limits.samples = 50;
  EXPECT_GT(run_search(*program, "ss", "run-to-completion", options).outcome.cut, 0u);  // stays with whoever runs
  options.fair = 1;
  const Searched with = run_search(*program, "ss", "run-to-completion", options);
  EXPECT_EQ(with.outcome.cut, 0u);
  EXPECT_TRUE(with.findings.empty());
}

}  // namespace
}  // namespace tarry::test
