// What a bounded claim means: with --strict-bound, when stratum d ends, every state that can be reached within d delays (or
// preemptions, or steps) has been visited, and no other. Without it some may be missed, because the cache holds program states
// only (FSE 2015, section 3); at the end of the search never.
#include <gtest/gtest.h>

#include "tests/support/fewer.h"
#include "tests/support/least_cost.h"
#include "tests/support/random_program.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

std::set<Words> within(const std::map<Words, std::uint64_t>& least, std::uint64_t bound) {
  std::set<Words> out;
  for (const auto& [state, cost] : least)
    if (cost <= bound) out.insert(state);
  return out;
}

struct Bounded {
  std::set<Words> states;
  Outcome outcome;
};

Bounded search(const abi::Model& model, const std::string& name, const std::string& explorer, const SearchOptions& options,
               const ParamValues& params = {}) {
  Record record;
  const RecordingProgram program(model, record);
  const Searched result = run_search(program, name, explorer, options, params, &record);
  EXPECT_TRUE(result.findings.empty());
  return {record.set(), result.outcome};
}

SearchOptions strict(bool yes) {
  SearchOptions options;
  options.strict_bound = yes;
  options.limits.memory = 64 << 20;
  return options;
}

TEST(StrictBound, SesVisitsExactlyWhatIsReachableWithinTheDelays) {
  int programs = 0;
  for (std::uint64_t seed = 0; seed < fewer(250u); ++seed) {
    const bool cycles = seed % 2 == 0;
    const RandomProgram program(seed + 60'000, {.cycles = cycles, .assertions = false, .choices = true, .creation = true});
    const abi::Model& model = model_of(program);
    if (!brute_force(model, 2000).verified()) continue;
    ++programs;
    for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) {
      if (cycles && explorer.name == "random") continue;  // its memos are histories: there is no end of them
      for (const bool unit : {false, true}) {
        const auto made = explorer.kind.make(1);
        const auto least = least_delays(model, *made, 3, unit);
        for (const std::uint64_t bound : {0u, 1u, 3u}) {
          SCOPED_TRACE(explorer.name + " bound " + std::to_string(bound) + (unit ? " unit" : "") + "\n" + program.text());
          SearchOptions options = strict(true);
          options.limits.max_delays = bound;
          options.choice_cost = unit ? ChoiceCost::kUnit : ChoiceCost::kValue;
          ASSERT_EQ(search(model, "ses", explorer.name, options).states, within(least, bound));
        }
      }
    }
  }
  EXPECT_GT(programs, fewer(80));
}

TEST(StrictBound, PreemptionBoundingVisitsExactlyWhatIsReachableWithinThePreemptions) {
  int programs = 0;
  for (std::uint64_t seed = 0; seed < fewer(400u); ++seed) {
    const RandomProgram program(seed + 61'000, {.cycles = true, .assertions = false, .choices = seed % 2 == 0, .creation = true});
    const abi::Model& model = model_of(program);
    if (!brute_force(model, 5000).verified()) continue;
    ++programs;
    const auto least = least_preemptions(model);
    for (const std::uint64_t bound : {0u, 1u, 2u}) {
      SCOPED_TRACE("bound " + std::to_string(bound) + "\n" + program.text());
      SearchOptions options = strict(true);
      options.limits.max_preemptions = bound;
      ASSERT_EQ(search(model, "preemption-bounded", "round-robin", options).states, within(least, bound));
    }
  }
  EXPECT_GT(programs, fewer(100));
}

TEST(StrictBound, DepthBoundingVisitsExactlyWhatIsReachableWithinTheSteps) {
  int programs = 0;
  for (std::uint64_t seed = 0; seed < fewer(400u); ++seed) {
    const RandomProgram program(seed + 62'000, {.cycles = true, .assertions = false, .choices = seed % 2 == 0, .creation = true});
    const abi::Model& model = model_of(program);
    const Everything truth = brute_force(model, 5000);
    if (!truth.verified()) continue;
    ++programs;
    std::map<Words, std::uint64_t> least(truth.states.begin(), truth.states.end());
    for (const std::uint32_t bound : {1u, 3u, 6u}) {
      SCOPED_TRACE("bound " + std::to_string(bound) + "\n" + program.text());
      SearchOptions options = strict(true);
      options.limits.max_depth = bound;
      options.limits.max_depth_given = true;
      ASSERT_EQ(search(model, "depth-bounded", "round-robin", options, {{"stride", 2}}).states, within(least, bound));
    }
  }
  EXPECT_GT(programs, fewer(100));
}

/// Counts programs for which the search without strict bounds misses something that is reachable within the bound.
int missed(const std::string& name, std::uint64_t first, int& programs) {
  int out = 0;
  const auto explorer = Registry<Explorer>::find("round-robin")->kind.make(1);
  for (std::uint64_t seed = first; seed < first + 300; ++seed) {
    const RandomProgram program(seed, {.cycles = true, .assertions = false, .choices = false, .creation = true});
    const abi::Model& model = model_of(program);
    if (!brute_force(model, 2000).verified()) continue;
    ++programs;
    const bool delays = name == "ses";
    const auto least = delays ? least_delays(model, *explorer, 2) : least_preemptions(model);
    bool misses = false;
    for (const std::uint64_t bound : {0u, 1u, 2u}) {
      SearchOptions options = strict(false);
      (delays ? options.limits.max_delays : options.limits.max_preemptions) = bound;
      const std::set<Words> states = search(model, name, "round-robin", options).states;
      const std::set<Words> truth = within(least, bound);
      EXPECT_TRUE(std::includes(truth.begin(), truth.end(), states.begin(), states.end())) << "more than is reachable";
      misses = misses || states != truth;
    }
    out += misses ? 1 : 0;
  }
  return out;
}

TEST(StrictBound, WithoutItStatesWithinTheBoundMayBeMissed) {
  int programs = 0;
  const int ses = missed("ses", 63'000, programs);
  EXPECT_GT(ses, 0);
  EXPECT_LT(ses, programs);
  RecordProperty("ses_missed", ses);
  programs = 0;
  const int preemptions = missed("preemption-bounded", 63'000, programs);
  EXPECT_GT(preemptions, 0);
  EXPECT_LT(preemptions, programs);
  RecordProperty("preemption_bounded_missed", preemptions);
}

}  // namespace
}  // namespace tarry::test
