// A step that fails is a finding, whatever else it says: also one that ends, idles or blocks.
#include <gtest/gtest.h>

#include "tests/support/brute_force.h"
#include "tests/support/random_program.h"
#include "tests/support/registered.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

enum class Last { kEnds, kIdles, kBlocks };

/// Two processes read, then write one more; the one that comes last looks whether both counted, in the step that stops.
template <Last last, bool atomic>
struct Counter {
  struct State {
    Upto<2> pc[2];
    Upto<2> copy[2];
    Upto<2> total;
    TARRY_FIELDS(pc, copy, total)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.pc[p] == 0) {
      s.pc[p] = atomic ? 2 : 1;
      s.copy[p] = s.total;
      if (atomic) ++s.total;
    } else if (s.pc[p] == 1) {
      s.pc[p] = 2;
      s.total = s.copy[p] + 1;
    } else {
      if (s.pc[1 - p] == 2) run.expect(s.total == 2, "an update was lost: total is {}", s.total);
      s.total = 0;  // undone
      if (last == Last::kEnds) return run.ended();
      // One that blocks for ever would be a deadlock.
      return last == Last::kIdles || s.pc[1 - p] == 2 ? run.idle() : run.blocked();
    }
  }
};

template <class M>
const Program& program() {
  static constexpr abi::Model kTable = detail::Adapter<M>::table("counter", "counter.cpp");
  static const auto made = make_model_program(kTable);
  return *made;
}

SearchOptions options(std::uint32_t jobs) {
  SearchOptions out;
  out.jobs = jobs;
  out.limits.memory = 64 << 20;
  // Random schedules lose an update in a third of the cases or more; pct has the fewest, one in eight. 400 without: below 1e-23.
  out.limits.samples = 400;
  return out;
}

template <class Buggy, class Right>
void all_searches_tell() {
  for (const Entry<Search>& entry : Registry<Search>::all()) {
    if (entry.kind.reduces) continue;  // dpor_test.cc
    for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) {
      for (const std::uint32_t jobs : {1u, 2u}) {
        SCOPED_TRACE(entry.name + " with " + explorer.name + ", jobs " + std::to_string(jobs));
        const Searched buggy = run_search(program<Buggy>(), entry.name, explorer.name, options(jobs));
        ASSERT_GE(buggy.findings.size(), 1u);
        EXPECT_EQ(buggy.findings[0].kind, FindingKind("assertion"));
        EXPECT_EQ(buggy.findings[0].message, "an update was lost: total is 1");
        EXPECT_EQ(buggy.findings[0].steps, 5u);
        EXPECT_TRUE(run_search(program<Right>(), entry.name, explorer.name, options(jobs)).findings.empty());
      }
      if (!entry.kind.takes_explorer) break;
    }
  }
}

TEST(FailingLastStep, parallel_IsFoundByEverySearchWhenItEnds) { all_searches_tell<Counter<Last::kEnds, false>, Counter<Last::kEnds, true>>(); }
TEST(FailingLastStep, parallel_IsFoundByEverySearchWhenItIdles) { all_searches_tell<Counter<Last::kIdles, false>, Counter<Last::kIdles, true>>(); }
TEST(FailingLastStep, parallel_IsFoundByEverySearchWhenItBlocks) { all_searches_tell<Counter<Last::kBlocks, false>, Counter<Last::kBlocks, true>>(); }

/// The same program with the last checks as steps of their own.
RandomProgram with_own_steps(RandomProgram program) {
  for (std::size_t p = 0; p < program.code.size(); ++p) {
    if (program.last_checks[p].op == Op::kExpect) program.code[p].push_back(program.last_checks[p]);
    program.last_checks[p] = {};
  }
  return program;
}

// A check in the step that ends fails exactly where it would fail in a step of its own before that.
TEST(FailingLastStep, RandomProgramsFailAsIfTheCheckWereAStepOfItsOwn) {
  int failing = 0, right = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    // Without other assertions; instructions that end a process early skip what is appended to its code.
    const RandomProgram random(seed + 400'000, {.assertions = false, .last_checks = true});
    bool early = false, longest = false;
    for (const auto& code : random.code) {
      longest |= code.size() == RandomProgram::kLength;
      for (const Instruction& i : code) early |= i.op == Op::kEnd || i.op == Op::kSkip;
    }
    if (early || longest) continue;
    const RandomProgram spelled_out = with_own_steps(random);
    const Everything reference = brute_force(model_of(spelled_out), 100'000);
    const bool fails = reference.failures.contains("assertion");
    const Everything everything = brute_force(model_of(random), 100'000);
    if (!reference.complete || !everything.complete) continue;
    EXPECT_EQ(everything.failures.contains("assertion"), fails) << random.text();
    (fails ? failing : right) += 1;
    const auto made = make_model_program(model_of(random));
    for (const std::string& search : complete_safety_searches()) {
      const Searched result = run_search(*made, search, "round-robin", options(1));
      EXPECT_EQ(result.findings.empty(), everything.failures.empty()) << search;
      for (const Finding& finding : result.findings) EXPECT_EQ(follow(model_of(random), finding), finding.kind.name());
    }
  }
  EXPECT_GT(failing, 20);
  EXPECT_GT(right, 10);
}

}  // namespace
}  // namespace tarry::test
