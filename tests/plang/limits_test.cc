// Limits of ours are no bugs of the program: a search that meets one ends there and says which, and a replay meets the same one.
#include <gtest/gtest.h>

#include "base/units.h"
#include "core/patience.h"
#include "tests/support/p_everything.h"
#include "trace/replayer.h"

namespace tarry::test {
namespace {

using plang::Points;
using plang::Purpose;

/// Main makes so many machines in its first step.
std::string makes(int machines) {
  return "machine M { start state S { } } machine Main { start state S { entry { var i: int; while (i < " + std::to_string(machines) +
         ") { new M(); i = i + 1; } } } }";
}

/// At most so many machines: as above the true limit, and in less time.
plang::Bounds at_most(std::uint32_t machines) {
  plang::Bounds bounds;
  bounds.machines = machines;
  return bounds;
}

/// Each machine makes the next one.
const char* const kEndless = "machine M { start state S { entry { new M(); } } } machine Main { start state S { entry { new M(); } } }";

Searched search(const Searchable& p, const std::string& name, std::uint32_t jobs = 1) {
  SearchOptions options;
  options.jobs = jobs;
  options.limits.samples = 3;
  options.limits.max_depth = 6000;
  options.limits.max_depth_given = true;
  return run_search(*p.program, name, "round-robin", options, {{"searches", 2}});
}

TEST(Limits, MachinesWithoutEndEndASearchAsALimit) {
  const Searchable p(kEndless, Points::kNeeded, at_most(4096));
  for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
    if (entry.name == "iterative-random-walk") continue;  // three walks of it are short
    SCOPED_TRACE(entry.name);
    const Searched result = search(p, entry.name);
    EXPECT_TRUE(result.findings.empty()) << result.findings[0].kind.name() << ": " << result.findings[0].message;
    EXPECT_FALSE(result.outcome.complete);
    EXPECT_EQ(result.outcome.stopped_by, StoppedBy::kLimit);
    EXPECT_EQ(result.outcome.limit, "more than 4,096 machines");
  }
}

// Nobody knows whether these steps end: they never come to where they were before. Steps that do are findings: Identity.StepsWithoutEndAreFound.
TEST(Limits, LongStepsEndASearchAsALimit) {
  const auto limit = [](const std::string& entry, const std::string& more = "") {
    const Searchable p("machine Main { start state S { entry { " + entry + " } } " + more + " }");
    const Searched result = search(p, "dfs");
    EXPECT_TRUE(result.findings.empty()) << result.findings[0].kind.name() << ": " << result.findings[0].message;
    return result.outcome.limit;
  };
  EXPECT_EQ(limit("var i: int; while (true) { i = i + 1; }"), "more than 5,000,000 calls and turns of loops in one step of 'Main(1)'");
  EXPECT_EQ(limit("var i: int; while (i < 5300000) { i = i + 1; }"), "more than 5,000,000 calls and turns of loops in one step of 'Main(1)'");
  EXPECT_EQ(limit("var i: int; while (i < 4900000) { i = i + 1; }"), "");
  EXPECT_EQ(limit("f(0);", "fun f(n: int) { f(n + 1); }"), "more than 100,000 open calls in 'Main(1)', the last of function 'Main.f'");
}

TEST(Limits, parallel_MachinesWithoutEndEndASearchOfTwoWorkersAsALimit) {
  const Searchable p(kEndless, Points::kNeeded, at_most(4096));
  for (const char* name : {"dfs", "bfs", "ses"}) {
    const Searched result = search(p, name, 2);
    EXPECT_TRUE(result.findings.empty());
    EXPECT_EQ(result.outcome.stopped_by, StoppedBy::kLimit);
  }
}

std::string shown_by_first_step(const std::string& source, plang::Bounds bounds = {}) {
  const auto ready = plang::testing_support::make_ready(source);
  const plang::PProgram program(*ready.code, ready.test(), Points::kNeeded, Purpose::kReplay, bounds);
  const Replay shown = replay(program, {{Choice::Kind::kProcess, 0}}, {});
  EXPECT_FALSE(shown.diverged_at);
  return std::string(shown.ending.kind.name()) + ": " + shown.ending.message;
}

TEST(Limits, SearchAndReplayHaveTheSameLimitOfMachines) {
  for (const std::uint32_t most : {0u, 4096u, 64u}) {
    const int all = most == 0 ? static_cast<int>(plang::Identities::kMost) : static_cast<int>(most);
    const std::string told = "more than " + with_separators(static_cast<std::uint64_t>(all)) + " machines";
    EXPECT_EQ(shown_by_first_step(makes(all), at_most(most)), "limit: " + told);
    EXPECT_EQ(shown_by_first_step(makes(all - 1), at_most(most)), ": ");
    const Searched over = search(Searchable(makes(all), Points::kNeeded, at_most(most)), "dfs");
    EXPECT_EQ(over.outcome.limit, told);
    EXPECT_EQ(over.totals.states, 1u);
    SearchOptions options;
    options.limits.max_depth = 20;
    options.limits.max_depth_given = true;
    const Searchable p(makes(all - 1), Points::kNeeded, at_most(most));
    const Searched within = run_search(*p.program, "dfs", "round-robin", options, {});
    EXPECT_EQ(within.outcome.stopped_by, StoppedBy::kBound) << told;
    EXPECT_TRUE(within.findings.empty());
  }
}

/// `many` machines, of which the last one fails: every search finds it, and the replay fails alike, in the same words.
std::string last_fails(int many) {
  return "event e; machine M { start state S { on e do { assert false, format(\"{0} fails\", this); } } } machine Main { start state S { entry { var i: int; var m: machine; while (i < " +
         std::to_string(many) + ") { m = new M(); i = i + 1; } send m, e; } } }";
}

TEST(Limits, FourThousandAndNinetySevenMachinesAreNoLimit) {
  EXPECT_EQ(shown_by_first_step(makes(4096)), ": ");
  const Searched all = search(Searchable("machine M { start state S { entry (n: int) { if (n < 4096) new M(n + 1); } } } machine Main { start state S { entry { new M(0); } } }"), "bfs");
  EXPECT_TRUE(all.outcome.complete);
  EXPECT_EQ(all.totals.states, 4099u);
}

TEST(Limits, ABugOfTheLastOfManyMachinesIsFoundAndReplayed) {
  for (const int many : {4094, 4095, 4096, 4097, 12'345}) {
    const Searchable p(last_fails(many));
    for (const char* name : {"dfs", "bfs", "random-walk", "ses"}) {
      SCOPED_TRACE(std::string(name) + ", " + std::to_string(many));
      SearchOptions options;
      options.limits.samples = 3;
      options.limits.max_depth = 20'000;
      options.limits.max_depth_given = true;
      const Searched found = run_search(*p.program, name, "run-to-completion", options, {});
      ASSERT_EQ(found.findings.size(), 1u);
      EXPECT_EQ(found.findings[0].message, "assertion failed: M(" + std::to_string(many + 1) + ") fails");
      EXPECT_EQ(p.replayed(found.findings[0]), "");
    }
  }
}

TEST(Limits, AnAssertionBehindTheLimitIsNotFoundAndOneBeforeItIs) {
  const auto with = [](int fails_at) {
    return "machine M { start state S { entry (n: int) { assert n != " + std::to_string(fails_at) +
           "; new M(n + 1); } } } machine Main { start state S { entry { new M(0); } } }";
  };
  const auto found_by_dfs = [&](int fails_at, std::uint32_t most) {
    SearchOptions options;
    options.limits.max_depth = 70'000;
    options.limits.max_depth_given = true;
    const Searchable p(with(fails_at), Points::kNeeded, at_most(most));
    return run_search(*p.program, "dfs", "round-robin", options, {});
  };
  for (const auto& [fails_at, most] : {std::pair{500, 4096u}, {5000, 0u}, {65'000, 0u}}) {
    const Searched before = found_by_dfs(fails_at, most);
    ASSERT_EQ(before.findings.size(), 1u) << fails_at;
    EXPECT_EQ(before.findings[0].kind, FindingKind("assertion"));
  }
  for (const auto& [fails_at, most] : {std::pair{5000, 4096u}, {70'000, 0u}}) EXPECT_EQ(found_by_dfs(fails_at, most).outcome.stopped_by, StoppedBy::kLimit) << fails_at;
}

TEST(Limits, ValuesThatNestTooDeeplyEndASearchAsALimit) {
  const auto nests = [](int depth) {
    return "machine Main { var x: any; start state S { entry { var i: int; while (i < " + std::to_string(depth) + ") { x = (x, 1); i = i + 1; } } } }";
  };
  const Searched over = search(Searchable(nests(1010)), "dfs");
  EXPECT_TRUE(over.findings.empty());
  EXPECT_EQ(over.outcome.stopped_by, StoppedBy::kLimit);
  EXPECT_EQ(over.outcome.limit, "values of 'Main(1)' are nested more than 1,000 deep");
  EXPECT_TRUE(search(Searchable(nests(900)), "dfs").outcome.complete);
}

/// A value that holds another one twice, which holds another one twice, …: few objects, and very many ways to them.
std::string doubles(int times, const std::string& then) {
  return "event e: any; machine Main { var x: any; start state S { entry { var i: int; x = 1; while (i < " + std::to_string(times) +
         ") { x = (x, x); i = i + 1; } " + then + " } on e do (y: any) { } } }";
}

TEST(Limits, ValuesThatShareTheirPartsTakeTimeInTheirObjects) {
  EXPECT_TRUE(search(Searchable(doubles(900, "")), "dfs").outcome.complete);
  EXPECT_TRUE(search(Searchable(doubles(900, "send this, e, x;")), "dfs").outcome.complete);
}

TEST(Limits, TextWithoutEndEndsASearchAsALimit) {
  const Searched over = search(Searchable(doubles(60, "print format(\"{0}\", x);")), "dfs");
  EXPECT_TRUE(over.findings.empty());
  EXPECT_EQ(over.outcome.limit, "a step of 'Main(1)' needs more than 1 GiB for its values");
  EXPECT_TRUE(search(Searchable(doubles(10, "print format(\"{0}\", x);")), "dfs").outcome.complete);
}

// Bytes, of what a process holds in all: the first look has its share of them, and the search goes on without the rest.
TEST(Limits, TheFirstLookLeavesMemoryToTheSearch) {
  const auto ready = plang::testing_support::make_ready(
      "event e; machine Main { var m: map[int, seq[int]]; var i: int; start state S { entry { while (i < 3000) { m[i] = default(seq[int]); i = i + 1; } i = 0; send this, e; } "
      "on e do { var q: seq[int]; q = m[i % 3000]; q += (0, i); m[i % 3000] = q; i = i + 1; send this, e; } } }");
  constexpr std::uint64_t kMemory = std::uint64_t{200} << 20;
  plang::Bounds bounds;
  bounds.memory = kMemory;
  const plang::PProgram program(*ready.code, ready.test(), Points::kNeeded, Purpose::kSearch, bounds);
  EXPECT_GT(program.bytes(), kMemory / 16);  // else it would not have been stopped
  EXPECT_LT(program.bytes(), kMemory / 8 + (std::uint64_t{1} << 20));
  EXPECT_EQ(program.shape().processes, plang::Identities::kMost);  // it has not seen all machines
}

// The first look at a program may take as long as whoever waits for it.
TEST(Limits, TheFirstLookAsksWhetherToGoOn) {
  const auto ready = plang::testing_support::make_ready(kEndless);
  int asked = 0;
  {
    const PatienceScope patience([&] { return ++asked < 50; });
    const plang::PProgram program(*ready.code, ready.test(), Points::kNeeded, Purpose::kSearch);
    EXPECT_EQ(program.shape().processes, plang::Identities::kMost);
    EXPECT_LE(program.world().identities.size(), 60u);
  }
  EXPECT_EQ(asked, 50);
}

}  // namespace
}  // namespace tarry::test
