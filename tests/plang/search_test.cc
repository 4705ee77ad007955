// Every registered search on P programs, against a walk over all states: the same states, the same transitions, the same verdict, and findings that
// replay. New searches and explorers are tested without being named here.
#include <gtest/gtest.h>

#include <numeric>

#include "plang/project/project.h"
#include "tests/support/p_everything.h"
#include "tests/support/p_reference/cases.h"
#include "tests/support/p_reference/generator.h"
#include "tests/support/registered.h"

namespace tarry::test {
namespace {

using plang::Points;
namespace reference = plang::reference;

struct Way {
  std::string search;
  std::string explorer = "round-robin";
  std::uint32_t jobs = 1;
  bool strict = false;
  CacheKey cache = CacheKey::kProgram;

  std::string text() const { return search + "/" + explorer + " jobs " + std::to_string(jobs) + (strict ? " strict" : ""); }
  /// Some start over, or run several searches at once.
  bool visits_states_once() const { return search != "prss" && search != "portfolio" && !strict && cache == CacheKey::kProgram; }
};

bool names_limit(const Entry<Search>& entry, const std::string& name) {
  return std::find(entry.kind.limits.begin(), entry.kind.limits.end(), name) != entry.kind.limits.end();
}

/// Every complete search, with every explorer if it takes one.
std::vector<Way> complete_ways() {
  std::vector<Way> out;
  for (const Entry<Search>& entry : Registry<Search>::all()) {
    if (entry.kind.reduces) continue;  // dpor_test.cc
    if (!entry.kind.complete) continue;
    if (!entry.kind.takes_explorer) out.push_back({.search = entry.name});
    else
      for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) out.push_back({.search = entry.name, .explorer = explorer.name});
    if (names_limit(entry, "strict-bound")) out.push_back({.search = entry.name, .strict = true});
  }
  out.push_back({.search = "ses", .cache = CacheKey::kProgramAndExplorer});
  return out;
}

SearchOptions options_of(const Way& way) {
  SearchOptions options;
  options.jobs = way.jobs;
  options.limits.memory = 64 << 20;
  options.strict_bound = way.strict;
  options.cache = way.cache;
  return options;
}

void check(const Searchable& p, const Everything& truth, const Way& way) {
  SCOPED_TRACE(way.text());
  Record record;
  const Recorded program(*p.program, record);
  const Searched result =
      run_search(program, way.search, way.explorer, options_of(way), {{"searches", 3}}, &record);
  if (truth.verified()) {
    ASSERT_TRUE(result.findings.empty()) << result.findings[0].kind.name() << ": " << result.findings[0].message;
    ASSERT_TRUE(result.outcome.complete);
    ASSERT_EQ(record.states.size(), truth.states.size());
    for (const auto& [state, distance] : truth.states) ASSERT_TRUE(record.states.contains(state));
    if (way.visits_states_once()) {
      ASSERT_EQ(result.totals.states, truth.states.size());
      ASSERT_EQ(result.totals.transitions, truth.transitions);
    }
    return;
  }
  ASSERT_FALSE(result.outcome.complete);
  ASSERT_EQ(result.outcome.stopped_by, StoppedBy::kFinding);
  ASSERT_GE(result.findings.size(), 1u);
  if (way.jobs == 1) {
    ASSERT_EQ(result.findings.size(), 1u);
  }
  for (const Finding& finding : result.findings) {
    ASSERT_TRUE(truth.failures.contains(finding.kind.name())) << finding.kind.name() << ": " << finding.message;
    ASSERT_EQ(p.replayed(finding), "");
  }
  if (way.search == "bfs") {
    ASSERT_EQ(result.findings[0].steps, truth.shortest_failure());
  }
}

struct Named {
  std::string name, text;
  Points points;
};

std::vector<Named> litmus_programs() {
  std::vector<Named> out;
  for (int n = 1; n <= 30; ++n) {
    if (n == 19 || n == 20) continue;  // are not to be run
    out.push_back({"litmus " + std::to_string(n), plang::testing_support::litmus_text(n), n % 2 == 0 ? Points::kNeeded : Points::kAll});
  }
  return out;
}

constexpr std::size_t kSmall = 3000;

/// Runs `check` in all ways on each program that is small enough; how many were verified, how many have a bug.
std::pair<int, int> check_all(const std::vector<Named>& programs, const std::vector<Way>& ways, int enough = 1 << 30) {
  int verified = 0, failing = 0;
  for (const Named& each : programs) {
    if (verified + failing == enough) break;
    SCOPED_TRACE(each.name + "\n" + each.text);
    const Searchable p(each.text, each.points);
    const Everything truth = every_state(*p.program, kSmall);
    if (!truth.complete) continue;
    (truth.verified() ? verified : failing) += 1;
    for (const Way& way : ways) {
      check(p, truth, way);
      if (testing::Test::HasFatalFailure()) return {verified, failing};
    }
  }
  return {verified, failing};
}

/// Half of them with the needed points.
std::vector<Named> random_programs(std::uint64_t first, std::uint64_t count, reference::Flavour flavour = reference::Flavour::kUsual) {
  std::vector<Named> out;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const bool needed = seed % 2 == 0;
    out.push_back({"seed " + std::to_string(seed), reference::random_p_program(seed, flavour), needed ? Points::kNeeded : Points::kAll});
  }
  return out;
}

std::vector<Way> with_jobs(std::vector<Way> ways, std::uint32_t jobs) {
  for (Way& way : ways) way.jobs = jobs;
  return ways;
}

TEST(Search, EveryCompleteSearchIsTested) {
  std::set<std::string> searches, explorers;
  for (const Way& way : complete_ways()) {
    searches.insert(way.search);
    if (way.search == "ses") explorers.insert(way.explorer);
  }
  const std::vector<std::string> registered = complete_searches();
  EXPECT_EQ(searches, std::set<std::string>(registered.begin(), registered.end()));
  EXPECT_GE(searches.size(), 13u);  // so many there were when this was written: none of them is lost
  EXPECT_EQ(explorers.size(), Registry<Explorer>::all().size());
}

TEST(Search, CompleteSearchesVisitExactlyTheStatesOfTheLitmusPrograms) {
  EXPECT_EQ(check_all(litmus_programs(), complete_ways()), std::pair(19, 9));
}

TEST(Search, CompleteSearchesVisitExactlyTheStatesOfTheCases) {
  std::vector<Named> programs;
  for (const reference::Case& c : reference::machine_cases())
    programs.push_back({std::string(c.name), reference::source_of(c), programs.size() % 2 == 0 ? Points::kNeeded : Points::kAll});
  EXPECT_EQ(check_all(programs, complete_ways()), std::pair(87, 49));
}

TEST(Search, CompleteSearchesVisitExactlyTheStatesOfRandomPrograms) {
  EXPECT_EQ(check_all(random_programs(1, 1000), complete_ways(), 60), std::pair(37, 23));
}

// A step that passes a point, then chooses, then fails is taken to its first point instead; whoever takes it with the same values comes there again.
TEST(Search, StepsThatFailAfterAPointAndAChoiceReplay) {
  const std::vector<Named> programs{
      {"choice behind a raise",
       "event e; event f; machine Main { start state S { entry { send this, e; } on e do { raise f; } on f do { if ($) { assert false, \"boom\"; } } } }",
       Points::kNeeded},
      {"choice behind new",
       "machine M0 { start state S { } } machine Main { var x: int; start state S { entry { new M0(); x = choose(2); assert false; } } }", Points::kNeeded},
      {"the last of three values",
       "machine M0 { start state S { } } machine Main { var x: int; start state S { entry { new M0(); x = choose(3); assert x < 2; } } }", Points::kNeeded},
      {"choices on both sides of a point",
       "machine M0 { start state S { } } machine Main { var x: int; start state S { entry { x = choose(3); new M0(); x = 3 * x + choose(3); "
       "new M0(); assert x != 7 || $; } } }",
       Points::kNeeded},
      {"a spec fails behind both",
       "event e: int; event t; machine M0 { start state S { } } machine Main { start state S { entry { send this, t; } on t do { new M0(); announce e, choose(3); } } } "
       "spec P observes e { start state S { on e do (x: int) { assert x != 1; } } } test T [main = Main]: assert P in { Main, M0 };",
       Points::kNeeded},
      {"near miss: nothing fails",
       "machine M0 { start state S { } } machine Main { var x: int; start state S { entry { new M0(); x = choose(3); assert x < 3; } } }", Points::kNeeded},
      {"near miss: no point before the choice",
       "machine Main { var x: int; start state S { entry { x = choose(3); assert x < 2; } } }", Points::kNeeded},
  };
  EXPECT_EQ(check_all(programs, complete_ways()), std::pair(1, 6));
  EXPECT_EQ(check_all(programs, with_jobs(complete_ways(), 2)), std::pair(1, 6));
}

TEST(Search, CompleteSearchesVisitExactlyTheStatesOfProgramsThatChoose) {
  std::vector<Named> programs = random_programs(1, 1000, reference::Flavour::kChoosing);
  for (Named& each : programs) each.points = Points::kNeeded;
  EXPECT_EQ(check_all(programs, complete_ways(), 60), std::pair(23, 37));
}

TEST(Search, parallel_CompleteSearchesVisitExactlyTheStatesWithTwoWorkers) {
  EXPECT_EQ(check_all(litmus_programs(), with_jobs(complete_ways(), 2)), std::pair(19, 9));
  EXPECT_EQ(check_all(random_programs(5001, 1000), with_jobs(complete_ways(), 2), 30), std::pair(20, 10));
}

// What is reached with at most k delays does not depend on how far the search goes on, and all strata together are everything.
TEST(Search, SesVisitsEveryStateInOneStratum) {
  int tested = 0;
  for (const Named& each : random_programs(7001, 400)) {
    const Searchable p(each.text, each.points);
    const Everything truth = every_state(*p.program, kSmall);
    if (!truth.complete || !truth.verified() || truth.states.size() < 100) continue;
    SCOPED_TRACE(each.name + "\n" + each.text);
    ++tested;
    for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) {
      SCOPED_TRACE(explorer.name);
      Record whole;
      const Recorded program(*p.program, whole);
      const Way way{.search = "ses", .explorer = explorer.name};
      const Searched all = run_search(program, way.search, way.explorer, options_of(way), {}, &whole);
      ASSERT_TRUE(all.outcome.complete);
      std::map<std::uint64_t, std::size_t> strata;
      for (const auto& [state, delays] : whole.states) ++strata[delays];
      const auto add = [](std::size_t sum, const auto& stratum) { return sum + stratum.second; };
      ASSERT_EQ(std::accumulate(strata.begin(), strata.end(), std::size_t{0}, add), truth.states.size());
      std::size_t up_to = 0;
      for (std::uint64_t k = 0; k < 3; ++k) {
        up_to += strata[k];
        Record part;
        const Recorded again(*p.program, part);
        SearchOptions options = options_of(way);
        options.limits.max_delays = k;
        const Searched some = run_search(again, way.search, way.explorer, options, {}, &part);
        ASSERT_EQ(part.states.size(), up_to) << k << " delays";
        ASSERT_EQ(some.totals.states, up_to) << k << " delays";
      }
    }
  }
  EXPECT_EQ(tested, 30);
}

// Samplers see nothing that is not there, and what they find replays.
TEST(Search, SamplersStayWithinTheStatesThereAre) {
  int found = 0;
  std::vector<Named> programs = random_programs(9001, 40);
  for (Named& each : litmus_programs()) programs.push_back(std::move(each));
  for (const Named& each : programs) {
    const Searchable p(each.text, each.points);
    const Everything truth = every_state(*p.program, kSmall);
    if (!truth.complete) continue;
    for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
      if (entry.kind.complete) continue;
      SCOPED_TRACE(entry.name + ", " + each.name + "\n" + each.text);
      Record record;
      const Recorded program(*p.program, record);
      SearchOptions options = options_of({.search = entry.name});
      options.limits.samples = 40;
      options.limits.max_depth = 200;
      const Searched result = run_search(program, entry.name, "run-to-completion", options, {}, &record);
      for (const auto& [state, bound] : record.states) ASSERT_TRUE(truth.states.contains(state));
      for (const Finding& finding : result.findings) {
        ++found;
        ASSERT_TRUE(truth.failures.contains(finding.kind.name())) << finding.kind.name() << ": " << finding.message;
        ASSERT_EQ(p.replayed(finding), "");
      }
    }
  }
  EXPECT_EQ(found, 130);
}

// Interrupted only where it can make a difference, or wherever P does it: the same bugs of the same kinds at the same places, if any.
class PointsOfExamples : public testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(PointsOfExamples, NeededOnesShowWhatAllShow) {
  const auto [name, small_tests] = GetParam();
  const auto project = plang::open_project({std::filesystem::path(TARRY_TEST_SOURCE_DIR) / "examples/p" / name});
  ASSERT_TRUE(project);
  auto sources = plang::read_sources(*project);
  ASSERT_TRUE(sources);
  const plang::Compiled compiled = plang::compile(*std::move(sources));
  ASSERT_NE(compiled.program, nullptr) << compiled.messages;
  const auto code = plang::generate(*compiled.program);
  int compared = 0;
  for (const plang::TestCase& test : compiled.program->tests) {
    SCOPED_TRACE(test.name);
    std::set<std::string> bugs, bugs_p;
    const plang::PProgram all(*code, test, Points::kAll, plang::Purpose::kSearch);
    const Everything states_p = every_state(all, 400'000, &bugs_p);
    if (!states_p.complete) continue;
    ++compared;
    const plang::PProgram needed(*code, test, Points::kNeeded, plang::Purpose::kSearch);
    const Everything states = every_state(needed, SIZE_MAX, &bugs);
    EXPECT_EQ(bugs, bugs_p);
    EXPECT_EQ(bugs.empty(), !test.name.starts_with("tcBug"));
    EXPECT_LT(states.states.size(), states_p.states.size());
  }
  EXPECT_EQ(compared, small_tests);
}

// All but the largest: one test of paxos and one of ring, and the bug of german (tests/cli/p_examples_test.py has its kind, with both).
constexpr std::pair<const char*, int> kProjects[] = {{"bank", 6},   {"chain-replication", 8}, {"elevator", 5}, {"failure-detector", 7},
                                                     {"german", 3}, {"paxos", 7},             {"ring", 5},     {"two-phase-commit", 7}};
INSTANTIATE_TEST_SUITE_P(, PointsOfExamples, testing::ValuesIn(kProjects), [](const auto& each) {
  std::string name = each.param.first;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace tarry::test
