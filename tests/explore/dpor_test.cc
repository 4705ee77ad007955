// Partial-order reduction against plain enumeration: each Mazurkiewicz trace by one execution, the same ends, the same failures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "tests/explore/dpor_programs.h"
#include "tests/support/fewer.h"

namespace tarry::test::dpor {
namespace {

struct Ran {
  Outcome outcome;
  Facts facts;
  std::uint64_t in_vain = 0;
};

Ran explore(const Source& source, const std::string& search, const ParamValues& params = {}) {
  const SmallProgram program(source);
  const auto progress = std::make_unique<Progress>();
  SearchOptions options;
  options.keep_going = true;
  Session session(program, options, {}, *progress);
  const Entry<Search>* entry = Registry<Search>::find(search);
  entry->kind.make(with_defaults(entry->params, params))->run(session);
  Ran out{session.outcome, std::move(program.facts), session.outcome.in_vain};
  return out;
}

struct Way {
  const char* search;
  ParamValues params;
  bool optimal;
};
const Way kWays[] = {{"dpor", {}, true}, {"source-dpor", {}, false}, {"dpor", {{"plans", 0}}, false}, {"dpor", {{"plans", 6}}, false}};

/// By all ways. Returns the executions in vain of the optimal one.
std::uint64_t compare(const Source& source, const Facts& all) {
  std::uint64_t in_vain = 0;
  for (const Way& way : kWays) {
    SCOPED_TRACE(std::string(way.search) + (way.params.empty() ? "" : " --plans " + std::to_string(way.params.at("plans"))));
    const Ran ran = explore(source, way.search, way.params);
    EXPECT_TRUE(ran.outcome.complete) << (ran.outcome.notes.empty() ? "" : ran.outcome.notes.back());
    EXPECT_TRUE(ran.facts.traces == all.traces) << ran.facts.traces.size() << " traces instead of " << all.traces.size();
    EXPECT_TRUE(ran.facts.ends == all.ends);
    if (!way.optimal) continue;
    EXPECT_FALSE(ran.in_vain > 0 && source.exact && !source.chooses());
    in_vain = ran.in_vain;
  }
  return in_vain;
}

void compare(std::uint64_t first, int count, Kind kind) {
  count = fewer(count);
  if (const char* const more = std::getenv("DPOR_SEED")) first += std::strtoull(more, nullptr, 10);  // by hand: further programs
  std::uint64_t traces = 0, executions = 0, vain = 0;
  for (std::uint64_t seed = first; count > 0; ++seed) {
    const Source source = random_source(seed, kind);
    Everything all(source, 5000);
    if (!all.run() || all.facts.executions < 2) continue;
    --count;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + source.text());
    vain += compare(source, all.facts);
    if (testing::Test::HasFailure()) return;
    traces += all.facts.traces.size();
    executions += all.facts.executions;
  }
  std::cout << traces << " traces of " << executions << " executions, " << vain << " executions in vain\n";
}

TEST(Dpor, RunsEachTraceOnceOfProgramsWithMemory) { compare(1, 1500, Kind::kOnlyMemory); }
TEST(Dpor, RunsEachTraceOnceOfProgramsWithLocks) { compare(10'000'000, 1500, Kind::kAlsoLocks); }
TEST(Dpor, RunsEachTraceOnceOfProgramsThatWait) { compare(20'000'000, 1500, Kind::kAlsoWaits); }
TEST(Dpor, RunsEachTraceOnceOfProgramsThatEndInTheMiddle) { compare(30'000'000, 1500, Kind::kAlsoEnds); }
TEST(Dpor, RunsEachTraceOnceOfProgramsWithRareOperations) { compare(50'000'000, 1500, Kind::kAlsoRare); }

TEST(Dpor, RunsEachTraceOfProgramsThatWereMissed) {
  using enum Do;
  const std::vector<Source> missed = {
      // Several choices in one step, beside choices in some states only.
      {.code = {{{kAddChoose, 0, 1}}, {{kChoose, 0, 2}, {kReadChoose, 0, 2}}}},
      {.code = {{{kAddChoose, 1, 1}, {kAddChoose, 0, 2}, {kLock, 1}, {kUnlock, 1}}, {{kLock, 1}, {kAdd, 1}, {kUnlock, 1}, {kLock, 1}, {kAdd, 0}, {kUnlock, 1}}}},
      // What comes next depends on the choice of the first step.
      {.code = {{{kChooseWay}, {kAdd, 0}, {kWrite, 1, 1}}, {{kWrite, 0, 5}}, {{kRead, 1}, {kWrite, 0, 1}}}},
      // A process ends behind a choice, while another one has given up joining it.
      {.code = {{{kCreate, 2}, {kJoin, 2}}, {{kWrite, 0, 9}}, {{kCancel, 0}, {kAddChoose, 0, 1}}}, .created_later = 1, .exact = false},
      {.code = {{{kRead, 1}, {kJoin, 2}}, {{kCancel, 0}, {kCancel, 0}, {kWrite, 0, 2}, {kWrite, 0}}, {{kReadChoose, 0, 1}, {kLock, 0}, {kWait, 0}, {kUnlock, 0}}}, .exact = false},
      // A process that was created last has to wait at once.
      {.code = {{{kCreate, 2}}, {{kCancel, 2}, {kAddChoose, 1, 2}, {kRead, 0}, {kWrite, 0, 1}}, {{kAwait, 0, 1}, {kBarrier, 0}}}, .created_later = 1, .exact = false},
      // What is planned after a step is planned for all values that it chooses.
      {.code = {{{kAssert, 1, 1}, {kExit}, {kJoin, 3}}, {{kLock, 0}, {kWait, 0}, {kUnlock, 0}}, {{kChoose, 0, 3}}, {{kRead, 0}, {kSwapIfZero, 0, 1}, {kAdd, 0}}}, .exact = false},
      // A wait is cancelled beside a choice that nothing depends on.
      {.code = {{{kCreate, 3}, {kCancel, 1}}, {{kLock, 1}, {kWait, 1}, {kUnlock, 1}}, {{kChoose, 0, 2}, {kPost, 0}}, {{kLock, 1}, {kAdd, 1}, {kUnlock, 1}}}, .created_later = 1, .exact = false},
      // The program ends beside a choice.
      {.code = {{{kAddChoose, 1, 2}}, {{kLock, 1}, {kUnlock, 1}, {kExit}}, {{kSwapIfZero, 0, 1}}, {{kAssert, 1, 1}, {kExit}, {kLock, 0}, {kWait, 0}, {kUnlock, 0}}}, .exact = false},
      // Source sets: processes that wait at the end of an execution in vain.
      {.code = {{{kCreate, 2}, {kBarrier, 0}, {kAdd, 0}, {kTryLock, 0}, {kUnlock, 0}}, {{kWrite, 1, 0}, {kLock, 1}, {kAdd, 0}, {kUnlock, 1}}, {{kAwait, 0, 1}, {kCancel, 0}, {kWriteLock, 1}, {kReadWriteUnlock, 1}}}, .created_later = 1, .exact = false},
      {.code = {{{kLock, 1}, {kWait, 1}, {kUnlock, 1}, {kJoin, 3}}, {{kWrite, 0, 9}}, {{kTimedLock, 1}, {kUnlock, 1}}, {{kAwait, 1, 1}, {kReadLock, 0}, {kAdd, 0}, {kReadWriteUnlock, 0}}}, .exact = false},
  };
  for (const Source& source : missed) {
    SCOPED_TRACE(source.text());
    Everything all(source, 200'000);
    ASSERT_TRUE(all.run());
    compare(source, all.facts);
  }
}

/// A step that ends the program depends on all others; if that cannot be seen before it is taken, nothing is proved.
TEST(Dpor, ProvesNothingWhereAStepEndsTheProgramBySurprise) {
  int surprised = 0;
  for (std::uint64_t seed = 40'000'000; seed < 40'000'300; ++seed) {
    const Source source = random_source(seed, Kind::kAlsoAborts);
    Everything all(source, 5000);
    if (!all.run()) continue;
    const bool aborts = std::any_of(all.facts.ends.begin(), all.facts.ends.end(), [](const State& state) { return state.failed; });
    const Ran ran = explore(source, "dpor");
    ASSERT_EQ(ran.outcome.complete, !aborts) << source.text();
    surprised += aborts ? 1 : 0;
  }
  EXPECT_GT(surprised, 50);
}

}  // namespace
}  // namespace tarry::test::dpor
