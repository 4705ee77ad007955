// Partial-order reduction by several workers: together they run each trace once, as one worker does.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "explore/memory_post.h"
#include "tests/explore/dpor_programs.h"

namespace tarry::test::dpor {
namespace {

struct Together {
  Facts facts;
  std::uint64_t by_others = 0;  // executions of all workers but the first
  bool complete = true;
};

/// Each worker has a session and a program of its own, as processes have.
Together explore(const Source& source, std::uint32_t workers) {
  const Entry<Search>* const entry = Registry<Search>::find("source-dpor");
  MemoryPost post(workers);
  std::vector<Outcome> outcomes(workers);
  std::vector<Facts> facts(workers);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t w = 0; w < workers; ++w)
      threads.emplace_back([&, w] {
        const SmallProgram program(source);
        const auto progress = std::make_unique<Progress>();
        SearchOptions options;
        options.keep_going = true;
        Session session(program, options, {}, *progress);
        session.crew = {.worker = w, .workers = workers, .share = nullptr, .post = &post.of(w)};
        entry->kind.make({})->run(session);
        outcomes[w] = session.outcome;
        facts[w] = program.facts;
      });
  }
  Together out;
  for (std::uint32_t w = 0; w < workers; ++w) {
    out.facts.ends.insert(facts[w].ends.begin(), facts[w].ends.end());
    out.facts.traces.insert(facts[w].traces.begin(), facts[w].traces.end());
    out.complete &= outcomes[w].complete;
    if (w > 0) out.by_others += facts[w].executions;
  }
  return out;
}

void compare(std::uint64_t first, int count, Kind kind) {
  if (const char* const more = std::getenv("DPOR_SEED")) first += std::strtoull(more, nullptr, 10);  // by hand: further programs
  std::uint64_t by_others = 0, traces = 0;
  for (std::uint64_t seed = first; count > 0; ++seed) {
    const Source source = random_source(seed, kind);
    Everything all(source, 5000);
    if (!all.run() || all.facts.traces.size() < 4) continue;
    --count;
    for (const std::uint32_t workers : {2u, 5u}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(workers) + " workers\n" + source.text());
      const Together ran = explore(source, workers);
      ASSERT_TRUE(ran.complete);
      ASSERT_TRUE(ran.facts.ends == all.facts.ends);
      ASSERT_TRUE(ran.facts.traces == all.facts.traces) << ran.facts.traces.size() << " traces instead of " << all.facts.traces.size();
      by_others += ran.by_others;
      traces += all.facts.traces.size();
    }
  }
  std::cout << by_others << " of " << traces << " executions by other workers than the first\n";
  EXPECT_GT(by_others, traces / 100);
}

TEST(DporTogether, parallel_WorkersRunEachTraceOnceOfProgramsWithMemory) { compare(60'000'000, 120, Kind::kOnlyMemory); }
TEST(DporTogether, parallel_WorkersRunEachTraceOnceOfProgramsWithLocks) { compare(61'000'000, 120, Kind::kAlsoLocks); }
TEST(DporTogether, parallel_WorkersRunEachTraceOnceOfProgramsThatWait) { compare(62'000'000, 120, Kind::kAlsoWaits); }
TEST(DporTogether, parallel_WorkersRunEachTraceOnceOfProgramsThatEndInTheMiddle) { compare(63'000'000, 120, Kind::kAlsoEnds); }
TEST(DporTogether, parallel_WorkersRunEachTraceOnceOfProgramsWithRareOperations) { compare(64'000'000, 120, Kind::kAlsoRare); }

/// A worker that does nothing with what it was given: the others wait for it, and prove nothing.
TEST(DporTogether, parallel_NothingIsProvedWithoutAWorkerThatIsLost) {
  using enum Do;
  const Source source{.code = {{{kAdd, 0}, {kAdd, 1}}, {{kAdd, 0}, {kAdd, 1}}, {{kAdd, 0}, {kAdd, 1}}}};
  const SmallProgram program(source);
  MemoryPost post(2);
  post.of(1).set_idle(true);
  const auto progress = std::make_unique<Progress>();
  SearchOptions options;
  options.limits.time = std::chrono::milliseconds(200);
  Session session(program, options, {}, *progress);
  session.crew = {.worker = 0, .workers = 2, .share = nullptr, .post = &post.of(0)};
  Registry<Search>::find("source-dpor")->kind.make({})->run(session);
  EXPECT_TRUE(post.of(1).receive());
  EXPECT_FALSE(session.outcome.complete);
  EXPECT_EQ(session.outcome.stopped_by, StoppedBy::kTime);
}

/// Where one worker can prove nothing, all of them cannot.
TEST(DporTogether, parallel_NothingIsProvedWhereAStepEndsTheProgramBySurprise) {
  int surprised = 0;
  for (std::uint64_t seed = 65'000'000; seed < 65'000'060; ++seed) {
    const Source source = random_source(seed, Kind::kAlsoAborts);
    Everything all(source, 5000);
    if (!all.run()) continue;
    const bool aborts = std::any_of(all.facts.ends.begin(), all.facts.ends.end(), [](const State& state) { return state.failed; });
    ASSERT_EQ(explore(source, 3).complete, !aborts) << source.text();
    surprised += aborts ? 1 : 0;
  }
  EXPECT_GT(surprised, 5);
}

}  // namespace
}  // namespace tarry::test::dpor
