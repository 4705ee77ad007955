// Every complete search against brute force, on random programs: the same states, the same transitions, the same verdict, and
// findings that can be followed.
#include <gtest/gtest.h>

#include "tests/support/composed.h"
#include "tests/support/fewer.h"
#include "tests/support/liveness_ways.h"
#include "tests/support/random_program.h"
#include "tests/support/registered.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

struct Way {
  std::string search;
  std::string explorer = "round-robin";
  std::uint32_t jobs = 1;
  std::uint32_t extra_words = 0;
  ParamValues params = {};
  ChoiceCost choice_cost = ChoiceCost::kValue;
  bool strict = false;
  CacheKey cache = CacheKey::kProgram;

  std::string text() const {
    return search + "/" + explorer + " jobs " + std::to_string(jobs) + " extra " + std::to_string(extra_words) + (strict ? " strict" : "");
  }
};

std::vector<Way> all_ways() {
  std::vector<Way> out = {{.search = "dfs"},
                          {.search = "dfs", .extra_words = 3},
                          {.search = "random-dfs", .extra_words = 1},
                          {.search = "bfs"},
                          {.search = "bfs", .extra_words = 2, .params = {{"shuffle", 1}}},
                          {.search = "preemption-bounded"},
                          {.search = "preemption-bounded", .extra_words = 5},
                          {.search = "preemption-bounded", .strict = true},
                          {.search = "depth-bounded", .params = {{"stride", 3}}},
                          {.search = "depth-bounded", .params = {{"stride", 2}}, .strict = true},
                          {.search = "ses", .params = {{"delta", 3}}},
                          {.search = "ses", .choice_cost = ChoiceCost::kUnit},
                          {.search = "ses", .strict = true},
                          {.search = "ses", .cache = CacheKey::kProgramAndExplorer},
                          {.search = "ses-ss"},
                          {.search = "prss", .params = {{"searches", 3}}}};
  for (const Entry<Explorer>& explorer : Registry<Explorer>::all())
    out.push_back({.search = "ses", .explorer = explorer.name, .extra_words = explorer.name == "random" ? 4u : 0u});
  for (const std::string& search : complete_safety_searches())  // what has no special case above, and is not tested with its parameters below
    if (std::none_of(out.begin(), out.end(), [&](const Way& way) { return way.search == search; })) out.push_back({.search = search});
  return out;
}

/// Searches that decide liveness find safety bugs on the way. Each program has one explorer and one width of states, in turn.
std::vector<Way> liveness_ways_for(std::uint64_t program, std::uint32_t jobs) {
  const auto& explorers = Registry<Explorer>::all();
  std::vector<Way> out;
  for (const LivenessWay& way : liveness_ways()) {
    out.push_back({.search = way.search, .jobs = jobs, .extra_words = program % 2 == 0 ? 0u : 3u, .params = way.params});
    if (way.deepens) out.back().explorer = explorers[program / 2 % explorers.size()].name;
    if (way.has_delta) out.back().params["delta"] = static_cast<std::int64_t>(1 + program % 3);
  }
  return out;
}

template <class More>
std::vector<Way> with(std::vector<Way> ways, const More& more) {
  ways.insert(ways.end(), more.begin(), more.end());
  return ways;
}

std::vector<Way> parallel_ways() {
  std::vector<Way> out;
  for (const std::string& search : complete_safety_searches())
    for (const std::uint32_t extra : {0u, 3u}) out.push_back({.search = search, .jobs = 3, .extra_words = extra});
  for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) out.push_back({.search = "ses-ss", .explorer = explorer.name, .jobs = 2});
  return out;
}

void check(const RandomProgram& program, const abi::Model& model, const Everything& truth, const Way& way, std::uint64_t seed) {
  SCOPED_TRACE(way.text() + ", program " + std::to_string(seed));
  Record record;
  const RecordingProgram recording(model, record, way.extra_words);
  SearchOptions options;
  options.jobs = way.jobs;
  options.seed = seed;
  options.limits.memory = 64 << 20;
  options.choice_cost = way.choice_cost;
  options.strict_bound = way.strict;
  options.cache = way.cache;
  const Searched result = run_search(recording, way.search, way.explorer, options, way.params, &record);

  if (truth.verified()) {
    ASSERT_TRUE(result.findings.empty()) << result.findings[0].kind.name() << ": " << result.findings[0].message << "\n" << program.text();
    ASSERT_TRUE(result.outcome.complete) << program.text();
    std::set<Words> expected;
    for (const auto& [state, distance] : truth.states) expected.insert(state);
    ASSERT_EQ(record.set(), expected) << program.text();
    // Searches that visit a state once take every transition once.
    const bool once = way.search != "prss" && way.search != "portfolio" && !way.strict && way.cache == CacheKey::kProgram;
    if (once) {
      ASSERT_EQ(result.totals.states, truth.states.size());
      ASSERT_EQ(result.totals.transitions, truth.transitions) << program.text();
    }
    return;
  }
  ASSERT_FALSE(result.outcome.complete) << program.text();
  ASSERT_FALSE(result.findings.empty()) << program.text();
  const Finding& finding = result.findings[0];
  ASSERT_TRUE(truth.failures.contains(finding.kind.name())) << finding.kind.name() << "\n" << program.text();
  ASSERT_EQ(follow(model, finding), finding.kind.name()) << finding.message << "\n" << program.text();
  if (way.search == "bfs") {
    ASSERT_EQ(finding.steps, truth.shortest_failure()) << program.text();
  }
}

TEST(AgainstBruteForce, EverySearchAgreesOnThousandsOfPrograms) {
  const std::vector<Way> ways = all_ways();
  int verified = 0, failing = 0;
  for (std::uint64_t seed = 0; seed < fewer(1500u); ++seed) {
    const RandomProgram program(seed);
    const Everything truth = brute_force(model_of(program), 5000);
    if (!truth.complete) continue;
    (truth.verified() ? verified : failing) += 1;
    for (const Way& way : with(ways, liveness_ways_for(seed, 1))) {
      check(program, model_of(program), truth, way, seed);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(verified, fewer(500));
  EXPECT_GT(failing, fewer(300));
}

/// Everything that can be reached by `survey` and `take`, if only the owner of a seal runs while it can.
std::set<Words> reachable_by_owner(const abi::Model& model) {
  Composed program(model);
  std::set<Words> seen = {*program.initial()};
  std::vector<Words> todo(seen.begin(), seen.end());
  while (!todo.empty()) {
    const Words state = todo.back();
    todo.pop_back();
    const Around around = program.around(state);
    const auto go = [&](auto&& self, std::uint32_t process, std::vector<std::uint32_t> values) -> void {
      const Moved moved = program.take(state, process, values);
      for (std::uint32_t value = 0; value < moved.arity; ++value) {
        values.push_back(value);
        self(self, process, values);
        values.pop_back();
      }
      if (moved.arity == 0 && !moved.failed() && seen.insert(moved.words).second) todo.push_back(moved.words);
    };
    around.open().for_each([&](ProcessId p) {
      if (!around.sealed() || around.sealed_by == index(p) + 1) go(go, index(p), {});
    });
  }
  return seen;
}

// What a seal promises is the same for all: while its owner can run, only the owner runs. So the verdict does not depend on the search.
TEST(AgainstBruteForce, EverySearchAgreesOnProgramsWithSeals) {
  std::vector<Way> ways = all_ways();
  for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) ways.push_back({.search = "ses-ss", .explorer = explorer.name});
  int verified = 0, failing = 0, restricted = 0;
  for (std::uint64_t seed = 20'000; seed < 20'000 + fewer(300u); ++seed) {
    const RandomProgram program(seed, {.seals = true});
    const Everything truth = brute_force(sealed_model_of(program), 5000);
    if (!truth.complete) continue;
    (truth.verified() ? verified : failing) += 1;
    if (truth.verified()) {
      const std::set<Words> by_hand = reachable_by_owner(sealed_model_of(program));
      ASSERT_EQ(by_hand.size(), truth.states.size()) << program.text();
      for (const Words& state : by_hand) restricted += Composed(sealed_model_of(program)).around(state).sealed() ? 1 : 0;
    }
    for (const Way& way : with(ways, liveness_ways_for(seed, 1))) {
      check(program, sealed_model_of(program), truth, way, seed);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(verified, fewer(60));
  EXPECT_GT(failing, fewer(30));
  EXPECT_GT(restricted, fewer(300));
}

/// A random graph: in each of its states each process goes to another one, waits, or fails. Deadlocks and failing steps lie close together.
struct Graph {
  static constexpr std::uint32_t kNodes = 60;
  struct State {
    Upto<kNodes - 1> at;
    TARRY_FIELDS(at)
  };
  static constexpr int processes = 2;
  inline static std::uint64_t seed = 0;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    SplitMix random(seed * 1'000'003 + s.at * 2 + static_cast<std::uint32_t>(p));
    random.next();
    if (random.one_in(4)) return run.blocked();
    const bool fails = random.one_in(12);
    s.at = random.below(kNodes);
    run.expect(!fails, "a step that fails");
  }
};

TEST(AgainstBruteForce, parallel_BreadthFirstFindsTheShortest) {
  static constexpr abi::Model kTable = detail::Adapter<Graph>::table("graph", __FILE__);
  const auto program = make_model_program(kTable);
  int deadlocks_first = 0, failures_first = 0;
  for (std::uint64_t seed = 0; seed < fewer(1000u); ++seed) {
    Graph::seed = seed;
    const Everything truth = brute_force(kTable);
    if (truth.verified()) continue;
    const auto deadlock = truth.failures.find("deadlock"), assertion = truth.failures.find("assertion");
    if (deadlock != truth.failures.end() && assertion != truth.failures.end()) {
      deadlocks_first += deadlock->second + 1 == assertion->second ? 1 : 0;
      failures_first += assertion->second <= deadlock->second ? 1 : 0;
    }
    for (const std::uint32_t jobs : {1u, 2u}) {
      for (const char* const search : {"bfs", "fair-cycle"}) {
        SearchOptions options;
        options.jobs = jobs;
        const Searched result = run_search(*program, search, "round-robin", options);
        ASSERT_EQ(result.findings.size(), 1u);
        ASSERT_EQ(result.findings[0].steps, truth.shortest_failure()) << search << ", seed " << seed;
        ASSERT_EQ(follow(kTable, result.findings[0]), result.findings[0].kind.name());
      }
    }
  }
  EXPECT_GT(deadlocks_first, fewer(40));
  EXPECT_GT(failures_first, fewer(40));
}

TEST(AgainstBruteForce, parallel_SearchesAgreeOnProgramsWithSeals) {
  for (std::uint64_t seed = 25'000; seed < 25'060; ++seed) {
    const RandomProgram program(seed, {.seals = true});
    const Everything truth = brute_force(sealed_model_of(program), 5000);
    if (!truth.complete) continue;
    for (const Way& way : with(parallel_ways(), liveness_ways_for(seed, 2 + seed % 2))) {
      check(program, sealed_model_of(program), truth, way, seed);
      if (HasFatalFailure()) return;
    }
  }
}

// Samples and runs of fair schedules see the same seals: what they find is there, and nobody finds the program nondeterministic.
TEST(AgainstBruteForce, SamplesOfProgramsWithSealsFindWhatIsThere) {
  int found = 0;
  for (std::uint64_t seed = 27'000; seed < 27'000 + std::max(fewer(150u), 60u); ++seed) {
    const RandomProgram program(seed, {.cycles = false, .seals = true});
    const Everything truth = brute_force(sealed_model_of(program), 50);
    if (!truth.complete) continue;
    const auto made = make_model_program(sealed_model_of(program));
    for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
      for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) {
        for (const std::uint32_t fair : {0u, 1u}) {
          if (fair != 0 ? !entry.kind.runs : entry.kind.complete) continue;
          SCOPED_TRACE(entry.name + ", " + explorer.name + ", fair " + std::to_string(fair) + "\n" + program.text());
          SearchOptions options;
          options.seed = seed;
          options.fair = fair;
          options.limits.samples = 20;
          options.limits.memory = 16 << 20;
          if (fair != 0) options.limits.time = std::chrono::milliseconds(50);  // there may be many executions
          const Searched result = run_search(*made, entry.name, explorer.name, options);
          for (const Finding& finding : result.findings) {
            ++found;
            ASSERT_TRUE(truth.failures.contains(finding.kind.name())) << finding.kind.name() << ": " << finding.message;
            ASSERT_EQ(follow(sealed_model_of(program), finding), finding.kind.name());
          }
          if (fair != 0 && result.outcome.complete) {
            ASSERT_TRUE(truth.verified());
          }
        }
        if (!entry.kind.takes_explorer) break;
      }
    }
  }
  EXPECT_GT(found, fewer(50));
}

TEST(AgainstBruteForce, parallel_SearchesAgree) {
  const std::vector<Way> ways = parallel_ways();
  for (std::uint64_t seed = 5000; seed < 5120; ++seed) {
    const RandomProgram program(seed);
    const Everything truth = brute_force(model_of(program), 5000);
    if (!truth.complete) continue;
    for (const Way& way : with(ways, liveness_ways_for(seed, 2 + seed % 2))) {
      check(program, model_of(program), truth, way, seed);
      if (HasFatalFailure()) return;
    }
  }
}

/// A deadlock after one step of process 1; a failing step of process 0, which comes first in every order, after two.
struct OneOrTwo {
  struct State {
    Upto<2> a;
    Upto<1> b;
    TARRY_FIELDS(a, b)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.b == 1) return run.blocked();
    if (p == 1) {
      if (s.a != 0) return run.idle();
      s.b = 1;
      return;
    }
    ++s.a;
    run.expect(s.a != 2, "the second step");
  }
};

TEST(AgainstBruteForce, parallel_ShortestMeansThatADeadlockComesBeforeALongerFailure) {
  static constexpr abi::Model kTable = detail::Adapter<OneOrTwo>::table("one or two", __FILE__);
  const auto program = make_model_program(kTable);
  for (const std::uint32_t jobs : {1u, 2u}) {
    for (const auto& [search, params] : std::vector<std::pair<std::string, ParamValues>>{{"bfs", {{"shuffle", 0}}}, {"bfs", {{"shuffle", 1}}}, {"fair-cycle", {}}}) {
      SearchOptions options;
      options.jobs = jobs;
      const Searched result = run_search(*program, search, "round-robin", options, params);
      ASSERT_EQ(result.findings.size(), 1u);
      EXPECT_EQ(result.findings[0].kind, FindingKind("deadlock")) << search;
      EXPECT_EQ(result.findings[0].steps, 1u) << search;
    }
  }
}

}  // namespace
}  // namespace tarry::test
