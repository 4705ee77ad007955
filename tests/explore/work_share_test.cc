// Workers that share a tree of executions do together what one does alone: every execution once, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "explore/memory_share.h"
#include "tests/explore/thread_program.h"

namespace tarry::test {
namespace {

/// Runs the search on so many workers, each with a session of its own, as processes would.
std::vector<Ran> together(const ThreadProgram& program, const std::string& search, const SearchOptions& options, std::uint32_t workers, const std::string& explorer = "round-robin") {
  MemoryShare share(workers);
  std::vector<Ran> out(workers);
  std::vector<std::jthread> threads;
  for (std::uint32_t w = 0; w < workers; ++w)
    threads.emplace_back([&, w] { out[w] = run_threads(program, search, options, explorer, {}, {.worker = w, .workers = workers, .share = &share.of(w)}); });
  threads.clear();
  return out;
}

SearchOptions plain(CacheKey cache, std::uint32_t fair) {
  SearchOptions options;
  options.limits.memory = 64 << 20;
  options.limits.max_depth = 300;
  options.cache = cache;
  options.fair = fair;
  return options;
}

TEST(WorkShare, parallel_WorkersRunEveryExecutionOnceTogether) {
  int checked = 0;
  for (const std::uint32_t fair : {0u, 1u})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Threads threads = random_threads(80'000 + seed, {.loops = fair != 0, .choices = true, .births = true, .most = 4});
      const Truth truth = truth_of(threads, fair);
      if (truth.too_many || !truth.acyclic || truth.fails || truth.deadlocks || truth.executions < 20 || truth.executions > 3000) continue;
      ++checked;
      for (const std::uint32_t workers : {2u, 4u})
        for (const std::string search : {"dfs", "random-dfs", "bfs", "preemption-bounded", "ses", "depth-bounded"}) {
          SCOPED_TRACE(search + " with " + std::to_string(workers) + "\n" + threads.text());
          Seen seen;
          const ThreadProgram program(threads, seen);
          for (const Ran& ran : together(program, search, plain(CacheKey::kNone, fair), workers)) {
            ASSERT_TRUE(ran.outcome.complete);
            ASSERT_TRUE(ran.findings.empty());
          }
          ASSERT_EQ(seen.schedules.size(), truth.executions);
          // Moves of different sessions are told apart by process and value alone, as each step has one value at most.
          std::sort(seen.schedules.begin(), seen.schedules.end());
          ASSERT_EQ(std::adjacent_find(seen.schedules.begin(), seen.schedules.end()), seen.schedules.end());
          ASSERT_EQ(seen.states, truth.states);
          Seen cached;
          const ThreadProgram again(threads, cached);
          for (const Ran& ran : together(again, search, plain(CacheKey::kProgram, fair), workers)) ASSERT_TRUE(ran.outcome.complete);
          ASSERT_EQ(cached.finals, truth.finals);
        }
    }
  EXPECT_GT(checked, 10);
}

TEST(WorkShare, parallel_WorkersKeepToABoundTogether) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Threads threads = random_threads(81'000 + seed, {.choices = true, .births = true, .most = 4});
    const Truth all = truth_of(threads);
    if (all.too_many || all.fails || all.deadlocks) continue;
    for (std::uint32_t bound = 0; bound < 3; ++bound) {
      const Truth truth = truth_of(threads, 0, bound);
      Seen seen;
      const ThreadProgram program(threads, seen);
      SearchOptions options = plain(CacheKey::kNone, 0);
      options.limits.max_preemptions = bound;
      const auto ran = together(program, "preemption-bounded", options, 2);
      ASSERT_EQ(seen.states, truth.states);
      ASSERT_EQ(seen.schedules.size(), truth.executions);
      ASSERT_EQ(ran[0].outcome.complete, ran[1].outcome.complete);
      ASSERT_EQ(ran[0].outcome.reached, ran[1].outcome.reached);
    }
  }
}

TEST(WorkShare, parallel_AllStartOverWhenThereAreFurtherPoints) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Threads threads = random_threads(82'000 + seed, {.choices = true, .least = 3, .most = 4});
    const Truth truth = truth_of(threads);
    if (truth.too_many || truth.fails || truth.deadlocks || truth.executions < 50 || truth.executions > 3000) continue;
    ++checked;
    for (const std::uint32_t workers : {2u, 4u}) {
      Seen seen;
      ThreadProgram program(threads, seen);
      program.coarse_runs = 7;  // the seventh execution, whoever runs it, changes the points for all
      program.tells_all = true;
      for (const Ran& ran : together(program, "preemption-bounded", plain(CacheKey::kNone, 0), workers)) {
        ASSERT_TRUE(ran.outcome.complete) << threads.text();
        ASSERT_TRUE(ran.findings.empty()) << ran.findings[0].message << "\n" << threads.text();
      }
      ASSERT_EQ(seen.finals, truth.finals) << threads.text();
      ASSERT_EQ(seen.states, truth.states) << threads.text();
    }
  }
  EXPECT_GT(checked, 10);
}

TEST(WorkShare, parallel_ThePortfolioProvesTogetherAndHuntsBesides) {
  Threads threads;
  threads.code = {{{ThreadOp::kLoad, 0}, {ThreadOp::kPut, 0}, {ThreadOp::kAdd, 1, 1}}, {{ThreadOp::kLoad, 0}, {ThreadOp::kPut, 0}, {ThreadOp::kAdd, 1, 1}}, {{ThreadOp::kAdd, 0, 1}}};
  for (const std::uint32_t workers : {2u, 3u}) {
    Seen seen;
    const ThreadProgram program(threads, seen);
    for (const Ran& ran : together(program, "portfolio", plain(CacheKey::kProgram, 1), workers)) {
      EXPECT_TRUE(ran.outcome.complete);
      EXPECT_TRUE(ran.findings.empty());
    }
    EXPECT_EQ(seen.finals, truth_of(threads).finals);
  }
}

}  // namespace
}  // namespace tarry::test
