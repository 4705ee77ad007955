// Parallel randomized search (ICSE 2007, figure 4): same seed, same winner, whatever the number of cores and their load; and the
// winner is the one of N separate randomized searches that finds something after the fewest states.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/rng.h"
#include "tests/explore/example_models.h"
#include "tests/support/random_program.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

SearchOptions with(std::uint64_t seed, std::uint32_t jobs) {
  SearchOptions options;
  options.seed = seed;
  options.jobs = jobs;
  options.limits.memory = 256 << 20;
  return options;
}

/// What figure 4 would say: N searches, one after the other, and the first among them by number of states.
struct Winner {
  bool found = false;
  std::uint32_t search = 0;
  std::uint64_t states = 0;
  Finding finding;
};

Winner one_by_one(const Program& program, std::uint64_t seed, std::uint32_t searches) {
  Winner best;
  for (std::uint32_t i = 0; i < searches; ++i) {
    SearchOptions options = with(Rng(seed, i).next(), 1);
    const Searched result = run_search(program, "random-dfs", "round-robin", options);
    if (result.findings.empty()) continue;
    if (!best.found || result.totals.states < best.states) best = {true, i, result.totals.states, result.findings[0]};
  }
  return best;
}

void expect_winner(const Searched& result, const Winner& winner, std::uint32_t searches) {
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, winner.finding.kind);
  EXPECT_EQ(result.findings[0].message, winner.finding.message);
  EXPECT_EQ(result.findings[0].schedule, winner.finding.schedule);
  EXPECT_FALSE(result.outcome.complete);
  EXPECT_EQ(result.outcome.stopped_by, StoppedBy::kFinding);
  const std::string note = "search " + std::to_string(winner.search + 1) + " of " + std::to_string(searches) + " won after " +
                           std::to_string(winner.states) + " states";
  ASSERT_EQ(result.outcome.notes.size(), 1u);
  EXPECT_EQ(result.outcome.notes[0], note);
}

/// Threads that do nothing but take time.
class Load {
 public:
  explicit Load(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { while (!stop_) spins_.fetch_add(1, std::memory_order_relaxed); });
  }
  ~Load() { stop_ = true; }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> spins_{0};
  std::vector<std::jthread> threads_;
};

TEST(Prss, parallel_TheWinnerIsTheOneWithTheFewestStates) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const RandomProgram program(seed + 50'000);
    const abi::Model& model = model_of(program);
    if (brute_force(model, 5000).verified()) continue;
    const auto compiled = make_model_program(model);
    const Winner winner = one_by_one(*compiled, seed, 7);
    ASSERT_TRUE(winner.found);
    for (const std::uint32_t jobs : {1u, 3u}) {
      SCOPED_TRACE("program " + std::to_string(seed) + " jobs " + std::to_string(jobs));
      expect_winner(run_search(*compiled, "prss", "round-robin", with(seed, jobs), {{"searches", 7}}), winner, 7);
      if (HasFailure()) return;
    }
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TEST(Prss, parallel_TheWinnerIsTheSameUnderLoad) {
  for (const Example& example : examples()) {
    if (example.states != 0) continue;
    const auto program = make_model_program(example.model);
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      const Winner winner = one_by_one(*program, seed, 16);
      for (const std::uint32_t jobs : {1u, 2u, 3u}) {
        SCOPED_TRACE(example.name + " seed " + std::to_string(seed) + " jobs " + std::to_string(jobs));
        expect_winner(run_search(*program, "prss", "round-robin", with(seed, jobs)), winner, 16);
      }
      const Load load(3);
      SCOPED_TRACE(example.name + " seed " + std::to_string(seed) + " under load");
      expect_winner(run_search(*program, "prss", "round-robin", with(seed, 2)), winner, 16);
      if (HasFailure()) return;
    }
  }
}

TEST(Prss, parallel_EndsWithEverythingVisited) {
  for (const Example& example : examples()) {
    if (example.states == 0) continue;
    for (const std::uint32_t jobs : {1u, 2u}) {
      SCOPED_TRACE(example.name);
      Record record;
      const RecordingProgram program(example.model, record);
      const Searched result = run_search(program, "prss", "round-robin", with(3, jobs), {{"searches", 5}}, &record);
      EXPECT_TRUE(result.findings.empty());
      EXPECT_TRUE(result.outcome.complete);
      EXPECT_EQ(record.states.size(), example.states);
      ASSERT_TRUE(result.outcome.totals.has_value());
      EXPECT_EQ(result.outcome.totals->states, example.states);
    }
  }
}

// A search that runs out of memory ends only itself, and proves nothing.
TEST(Prss, DoesNotSayVerifiedWhenMemoryRunsOut) {
  for (const Example& example : examples()) {
    if (example.name != "german N=2") continue;
    const auto program = make_model_program(example.model);
    SearchOptions options = with(1, 1);
    options.limits.memory = 64 << 10;
    options.limits.time = std::chrono::seconds(20);
    const Searched result = run_search(*program, "prss", "round-robin", options, {{"searches", 4}});
    EXPECT_FALSE(result.outcome.complete);
    EXPECT_EQ(result.outcome.stopped_by, StoppedBy::kMemory);
  }
}

}  // namespace
}  // namespace tarry::test
