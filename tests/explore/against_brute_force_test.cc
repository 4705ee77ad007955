// Every complete search against brute force, on random programs: the same states, the same transitions, the same verdict, and
// findings that can be followed.
#include <gtest/gtest.h>

#include "tests/support/fewer.h"
#include "tests/support/random_program.h"
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
  return out;
}

std::vector<Way> parallel_ways() {
  std::vector<Way> out;
  for (const char* search : {"dfs", "random-dfs", "bfs", "preemption-bounded", "depth-bounded", "ses", "portfolio", "prss"})
    for (const std::uint32_t extra : {0u, 3u}) out.push_back({.search = search, .jobs = 3, .extra_words = extra});
  return out;
}

void check(const RandomProgram& program, const Everything& truth, const Way& way, std::uint64_t seed) {
  SCOPED_TRACE(way.text() + ", program " + std::to_string(seed));
  const abi::Model& model = model_of(program);
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
    ASSERT_TRUE(result.findings.empty()) << result.findings[0].kind << ": " << result.findings[0].message << "\n" << program.text();
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
  ASSERT_TRUE(truth.failures.contains(finding.kind)) << finding.kind << "\n" << program.text();
  ASSERT_EQ(follow(model, finding), finding.kind) << finding.message << "\n" << program.text();
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
    for (const Way& way : ways) {
      check(program, truth, way, seed);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(verified, fewer(500));
  EXPECT_GT(failing, fewer(300));
}

TEST(AgainstBruteForce, parallel_SearchesAgree) {
  const std::vector<Way> ways = parallel_ways();
  for (std::uint64_t seed = 5000; seed < 5120; ++seed) {
    const RandomProgram program(seed);
    const Everything truth = brute_force(model_of(program), 5000);
    if (!truth.complete) continue;
    for (const Way& way : ways) {
      check(program, truth, way, seed);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace tarry::test
