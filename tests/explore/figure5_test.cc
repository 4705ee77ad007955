// `ses` with one worker against a transcription of figure 5 of FSE 2015: in each stratum the same states,
// and where something fails, the same schedule after the same number of delays.
#include <gtest/gtest.h>

#include "tests/explore/example_models.h"
#include "tests/support/fewer.h"
#include "tests/support/figure5.h"
#include "tests/support/random_program.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

std::vector<std::uint32_t> numbers_of(const Finding& finding) {
  std::vector<std::uint32_t> out;
  for (const Choice& choice : finding.schedule) out.push_back(choice.number);
  return out;
}

struct Compared {
  std::uint64_t strata = 0;
  bool failed = false;
};

Compared compare(const abi::Model& model, const std::string& explorer, std::uint64_t delta, std::uint64_t seed,
                 std::optional<std::uint64_t> last = std::nullopt) {
  const auto order = Registry<Explorer>::find(explorer)->kind.make(seed);
  Figure5 figure(model, *order, delta);
  figure.run(last);

  Record record;
  const RecordingProgram recording(model, record);
  SearchOptions options;
  options.seed = seed;
  options.limits.memory = 64 << 20;
  options.limits.max_delays = last;
  const Searched result = run_search(recording, "ses", explorer, options, {{"delta", static_cast<std::int64_t>(delta)}}, &record);

  EXPECT_EQ(record.states, figure.states);
  EXPECT_EQ(result.totals.states, figure.states.size());
  EXPECT_EQ(result.outcome.complete, figure.complete);
  EXPECT_EQ(result.findings.empty(), !figure.failure.has_value());
  if (figure.failure && !result.findings.empty()) {
    const Finding& finding = result.findings[0];
    EXPECT_EQ(numbers_of(finding), figure.failure->schedule);
    EXPECT_EQ(finding.delays, static_cast<std::int64_t>(figure.failure->delays));
    EXPECT_EQ(finding.kind == "deadlock", figure.failure->deadlock);
  } else {
    EXPECT_EQ(result.totals.transitions, figure.transitions);
  }
  std::set<std::uint64_t> strata;
  for (const auto& [state, bound] : figure.states) strata.insert(bound);
  return {strata.size(), figure.failure.has_value()};
}

TEST(Figure5, SesVisitsTheSameStatesStratumByStratumOnRandomPrograms) {
  int several_strata = 0, failing = 0, all = 0;
  for (std::uint64_t seed = 0; seed < fewer(400u); ++seed) {
    const RandomProgram program(seed + 20'000);
    const abi::Model& model = model_of(program);
    if (!brute_force(model, 5000).complete) continue;
    for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) {
      for (const std::uint64_t delta : {1u, 2u}) {
        SCOPED_TRACE(explorer.name + " delta " + std::to_string(delta) + " program " + std::to_string(seed) + "\n" + program.text());
        const Compared compared = compare(model, explorer.name, delta, seed);
        ++all;
        several_strata += compared.strata > 2 ? 1 : 0;
        failing += compared.failed ? 1 : 0;
        if (HasFailure()) return;
      }
    }
  }
  // The comparison means something only where there is something to compare.
  EXPECT_GT(all, fewer(3000));
  EXPECT_GT(several_strata, fewer(1000));
  EXPECT_GT(failing, fewer(500));
}

TEST(Figure5, SesVisitsTheSameStatesStratumByStratumOnTheExamples) {
  for (const Example& example : examples()) {
    for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) {
      for (const std::uint64_t delta : {1u, 2u}) {
        SCOPED_TRACE(example.name + ", " + explorer.name + " delta " + std::to_string(delta));
        const Compared compared = compare(example.model, explorer.name, delta, 7);
        EXPECT_EQ(compared.failed, example.states == 0);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(Figure5, SesEndsAtTheLastBoundWithTheSameStates) {
  for (std::uint64_t seed = 0; seed < fewer(150u); ++seed) {
    const RandomProgram program(seed + 30'000, {.cycles = true, .assertions = false, .choices = true, .creation = true});
    const abi::Model& model = model_of(program);
    if (!brute_force(model, 5000).complete) continue;
    for (const std::uint64_t last : {0u, 1u, 3u}) {
      for (const std::uint64_t delta : {1u, 2u}) {
        SCOPED_TRACE("program " + std::to_string(seed) + ", last " + std::to_string(last) + "\n" + program.text());
        compare(model, "round-robin", delta, seed, last);
        compare(model, "run-to-completion", delta, seed, last);
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace tarry::test
