// PCT (Burckhardt et al., ASPLOS 2010) from outside: many checks of one sample each, with seeds 0, 1, 2, …, on programs for which
// the chance of every outcome is known exactly. A model here fails when it ends, and its message says how it went.
//
// Odds of a false alarm: below 1e-9 a fit (tests/support/chi_square.h), a dozen fits in all, and the seeds are fixed.
#include <gtest/gtest.h>

#include <algorithm>

#include <tarry/model.h>
#include "tests/support/chi_square.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

constexpr int kSteps = 5;

/// A takes five steps, B one. Where B came is what is told.
struct OneBetween {
  struct State {
    Upto<kSteps> a;
    Upto<kSteps> b_after;
    bool b;
    TARRY_FIELDS(a, b_after, b)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (p == 0 ? s.a == kSteps : s.b) return run.ended();
    if (p == 0) ++s.a;
    else s.b = true, s.b_after = s.a;
  }
  void at_end(const State& s, Run& run) { run.expect(false, "{}", s.b_after); }
};

/// Four processes of one step; the order is what is told.
struct Order {
  struct State {
    Upto<4> place[4];  // from 1
    Upto<4> done;
    TARRY_FIELDS(place, done)
  };
  static constexpr int processes = 4;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.place[p] != 0) return run.ended();
    s.place[p] = ++s.done;
  }
  void at_end(const State& s, Run& run) { run.expect(false, "{}{}{}{}", s.place[0], s.place[1], s.place[2], s.place[3]); }
};

/// Process 0 creates 1 with its first step; who takes the next step is what is told.
struct Creating {
  struct State {
    Upto<2> at[2];
    Upto<2> next;  // process + 1
    TARRY_FIELDS(at, next)
  };
  static constexpr int max_processes = 2;
  int processes(const State& s) { return s.at[0] == 0 ? 1 : 2; }
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.at[p] == 2) return run.ended();
    if (s.at[0] == 1 && s.at[1] == 0) s.next = p + 1;
    ++s.at[p];
  }
  void at_end(const State& s, Run& run) { run.expect(false, "{}", s.next); }
};

/// Three processes of three steps.
struct Blocks {
  struct State {
    Upto<3> at[3];
    TARRY_FIELDS(at)
  };
  static constexpr int processes = 3;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.at[p] == 3) return run.ended();
    ++s.at[p];
  }
  void at_end(const State&, Run& run) { run.expect(false, "over"); }
};

/// Process 1 waits in a loop for process 0; it yields, or it does not.
template <bool kYields>
struct Spinning {
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
    else if (kYields) run.yields();
  }
};

template <class Type>
Searched sample(std::uint64_t seed, const ParamValues& params) {
  static constexpr abi::Model kTable = detail::Adapter<Type>::table("pct", __FILE__);
  static const auto program = make_model_program(kTable);
  SearchOptions options;
  options.seed = seed;
  options.limits.samples = 1;
  options.limits.max_depth = 100;
  return run_search(*program, "pct", "round-robin", options, params);
}

template <class Type>
std::map<std::string, std::uint64_t> messages(std::uint64_t seeds, const ParamValues& params) {
  std::map<std::string, std::uint64_t> out;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Searched result = sample<Type>(seed, params);
    ++out[result.findings.empty() ? "none" : result.findings[0].message];
  }
  return out;
}

// The bound 1 / (n k^(d-1)) is 1/10 here, and it is tight. Let s be the step of the change, uniform in 1…5. A has the higher
// priority with chance 1/2, and is lowered before its s-th step: B comes after s - 1 steps of A, each with chance 1/10. If B has
// the higher one it comes first, unless the change falls on step 1, and then it comes last: 4/10 and 1/10.
TEST(Pct, FindsABugOfDepthTwoWithExactlyTheChanceOfTheTheorem) {
  const std::map<std::string, double> chances = {{"0", 0.5}, {"1", 0.1}, {"2", 0.1}, {"3", 0.1}, {"4", 0.1}, {"5", 0.1}};
  const Fit fits = fit(chances, messages<OneBetween>(20'000, {{"depth", 2}, {"steps", kSteps}}));
  EXPECT_TRUE(fits.good()) << fits.text();
}

// With k = 10 for a program of 6 steps, changes after the end are lost: the theorem's bound holds with the k that was given.
TEST(Pct, DrawsChangePointsFromAsManyStepsAsItWasTold) {
  const std::map<std::string, double> chances = {{"0", 0.5}, {"1", 0.05}, {"2", 0.05}, {"3", 0.05}, {"4", 0.05}, {"5", 0.3}};
  const Fit fits = fit(chances, messages<OneBetween>(20'000, {{"depth", 2}, {"steps", 10}}));
  EXPECT_TRUE(fits.good()) << fits.text();
}

// k too small never preempts the tail. This one also tells a change before the s-th step from one after it, which for larger k
// amounts to another first order and cannot be seen: A first, B comes after 0 or 1 steps; B first, it falls to the end or stays.
TEST(Pct, ChangesPrioritiesBeforeTheStepThatWasDrawn) {
  const Fit fits = fit<std::string>({{"0", 0.5}, {"1", 0.25}, {"5", 0.25}}, messages<OneBetween>(10'000, {{"depth", 2}, {"steps", 2}}));
  EXPECT_TRUE(fits.good()) << fits.text();
}

// Depth 1: no change. Every order of the four processes has chance 1/24, so each is the first with chance 1/4 = 1/n.
TEST(Pct, OrdersProcessesUniformlyAtDepthOne) {
  std::map<std::string, double> chances;
  std::string order = "1234";
  do chances[order] = 1.0 / 24;
  while (std::next_permutation(order.begin(), order.end()));
  const Fit fits = fit(chances, messages<Order>(24'000, {{"depth", 1}, {"steps", 4}}));
  EXPECT_TRUE(fits.good()) << fits.text();
}

TEST(Pct, GivesANewProcessARandomPlace) {
  const Fit fits = fit<std::string>({{"1", 0.5}, {"2", 0.5}}, messages<Creating>(10'000, {{"depth", 1}, {"steps", 4}}));
  EXPECT_TRUE(fits.good()) << fits.text();
}

// With d - 1 changes at most d - 1 processes are interrupted, and who was comes back when all that were not lowered have ended.
TEST(Pct, KeepsALoweredProcessBelowOthers) {
  int interrupted = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Searched result = sample<Blocks>(seed, {{"depth", 2}, {"steps", 9}});
    ASSERT_EQ(result.findings.size(), 1u);
    std::vector<std::uint32_t> schedule;
    for (const Choice& choice : result.findings[0].schedule) schedule.push_back(choice.number);
    ASSERT_EQ(schedule.size(), 9u);
    int left[3] = {3, 3, 3}, lowered = -1;
    for (std::size_t i = 0; i < schedule.size(); ++i) {
      const auto p = static_cast<int>(schedule[i]);
      ASSERT_TRUE(p != lowered || left[0] + left[1] + left[2] == left[p]) << "it runs before others have ended, seed " << seed;
      --left[p];
      const bool switches = i + 1 < schedule.size() && static_cast<int>(schedule[i + 1]) != p;
      if (switches && left[p] > 0) {
        ASSERT_EQ(lowered, -1) << "two interruptions with one change, seed " << seed;
        lowered = p;
        ++interrupted;
      }
    }
  }
  EXPECT_GT(interrupted, 1000);
}

/// Two processes that yield in each of their three steps.
struct Yielding {
  struct State {
    Upto<3> at[2];
    TARRY_FIELDS(at)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.at[p] == 3) return run.ended();
    ++s.at[p];
    run.yields();
  }
  void at_end(const State&, Run& run) { run.expect(false, "over"); }
};

std::vector<std::uint32_t> schedule_of(const Searched& result) {
  std::vector<std::uint32_t> out;
  for (const Choice& choice : result.findings.at(0).schedule) out.push_back(choice.number);
  return out;
}

// Who yields falls to the lowest place, below those who yielded before.
TEST(Pct, PutsTheLastToYieldBelowThoseWhoYieldedBefore) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto schedule = schedule_of(sample<Yielding>(seed, {{"depth", 1}, {"steps", 6}}));
    ASSERT_EQ(schedule.size(), 6u);
    for (std::size_t i = 1; i < schedule.size(); ++i) ASSERT_NE(schedule[i], schedule[i - 1]) << "seed " << seed << ", step " << i + 1;
  }
}

/// Process 0 yields in its first step, process 1 never does; process 2 is what keeps them apart.
struct YieldOrChange {
  struct State {
    Upto<3> at[3];
    TARRY_FIELDS(at)
  };
  static constexpr int processes = 3;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.at[p] == 3) return run.ended();
    ++s.at[p];
    if (p == 0 && s.at[p] == 1) run.yields();
  }
  void at_end(const State&, Run& run) { run.expect(false, "over"); }
};

// One change: whoever it interrupts runs again before a process that yielded.
TEST(Pct, PutsWhoYieldedBelowWhoWasLoweredByAChange) {
  int both = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto schedule = schedule_of(sample<YieldOrChange>(seed, {{"depth", 2}, {"steps", 9}}));
    ASSERT_EQ(schedule.size(), 9u);
    std::size_t interrupted = 0, yielded = 9;  // the step after which process 1 or 2 was interrupted; the yield
    int left[3] = {3, 3, 3};
    for (std::size_t i = 0; i + 1 < 9; ++i) {
      --left[schedule[i]];
      if (schedule[i] == 0 && left[0] == 2) yielded = i;
      if (schedule[i] != 0 && schedule[i + 1] != schedule[i] && left[schedule[i]] > 0 && interrupted == 0) interrupted = i + 1;
    }
    if (interrupted == 0 || yielded >= interrupted) continue;
    ++both;
    const std::uint32_t lowered = schedule[interrupted - 1];
    const auto again = std::find(schedule.begin() + static_cast<std::ptrdiff_t>(interrupted), schedule.end(), lowered);
    const auto after = std::find(schedule.begin() + static_cast<std::ptrdiff_t>(interrupted), schedule.end(), 0u);
    ASSERT_TRUE(again < after) << "seed " << seed;
  }
  EXPECT_GT(both, 50);
}

// Two changes: the places that they lower to are drawn with them, so that either of the two interrupted may come back first. With chance 1/2
// each, independent of what was interrupted when; 4 sigma of 400 is 40, and 6 sigma (2e-9) is 60.
TEST(Pct, DrawsTheOrderOfThoseWhoWereLowered) {
  int first = 0, second = 0;
  for (std::uint64_t seed = 0; first + second < 400 && seed < 100'000; ++seed) {
    const auto schedule = schedule_of(sample<Blocks>(seed, {{"depth", 3}, {"steps", 9}}));
    std::vector<std::uint32_t> interrupted;
    int left[3] = {3, 3, 3};
    for (std::size_t i = 0; i + 1 < schedule.size(); ++i) {
      --left[schedule[i]];
      if (schedule[i + 1] != schedule[i] && left[schedule[i]] > 0) interrupted.push_back(schedule[i]);
    }
    if (interrupted.size() != 2 || interrupted[0] == interrupted[1]) continue;
    const std::uint32_t third = 3 - interrupted[0] - interrupted[1];
    const auto end_of_third = std::find(schedule.rbegin(), schedule.rend(), third).base();
    if (end_of_third == schedule.end()) continue;
    ++(*end_of_third == interrupted[0] ? first : second);
  }
  ASSERT_EQ(first + second, 400);
  EXPECT_NEAR(first, 200, 60);
}

TEST(Pct, EndsSpinLoopsThatYield) {
  int cut = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    for (const std::int64_t depth : {1, 2, 5}) {
      const Searched yielding = sample<Spinning<true>>(seed, {{"depth", depth}, {"steps", 4}});
      ASSERT_EQ(yielding.outcome.cut, 0u) << seed;
      ASSERT_EQ(yielding.outcome.samples, 1u);
    }
    cut += sample<Spinning<false>>(seed, {{"depth", 1}, {"steps", 4}}).outcome.cut > 0 ? 1 : 0;
  }
  EXPECT_GT(cut, 50) << "without yields every other execution should be stuck in the loop";
}

TEST(Pct, SaysWhatItTookForTheNumberOfSteps) {
  static constexpr abi::Model kTable = detail::Adapter<Spinning<true>>::table("pct", __FILE__);
  const auto program = make_model_program(kTable);
  SearchOptions options;
  options.limits.samples = 1000;
  const Searched result = run_search(*program, "pct", "round-robin", options);
  ASSERT_EQ(result.outcome.notes.size(), 1u);
  EXPECT_NE(result.outcome.notes[0].find("longest execution seen"), std::string::npos) << result.outcome.notes[0];
  EXPECT_EQ(result.outcome.samples, 1000u);
  EXPECT_FALSE(result.outcome.complete);
}

}  // namespace
}  // namespace tarry::test
