// The P examples, decided plainly on their whole graphs: fair executions meet every spec, except where a test is named for a bug that never ends.
#include <gtest/gtest.h>

#include "plang/code/bytecode.h"
#include "plang/project/project.h"
#include "plang/sema/check_program.h"
#include "tests/support/fair_oracle.h"
#include "tests/support/p_everything.h"

namespace tarry::test {
namespace {

using plang::Points;
using plang::PProgram;
using plang::Purpose;

struct Decided {
  int verified = 0;
  std::set<std::string> violated;      // names of tests
  std::set<std::string> needs_fair_choices;
};

/// Every test of the project that has a hot state and few states and does not fail otherwise.
Decided decide(const std::string& name, Points points) {
  const auto project = plang::open_project({std::filesystem::path(TARRY_TEST_SOURCE_DIR) / "examples/p" / name});
  auto compiled = plang::compile(*plang::read_sources(*project));
  const auto code = plang::generate(*compiled.program);
  Decided out;
  for (const plang::TestCase& test : compiled.program->tests) {
    const PProgram program(*code, test, points, Purpose::kSearch);
    const std::size_t properties = program.properties().size();
    if (properties == 0) continue;
    const auto graph = live_graph(program, 2500);
    if (!graph || !graph->failures.empty()) continue;
    const auto any = [&](bool fair_choices) {
      for (std::uint32_t p = 0; p < properties; ++p)
        if (FairOracle(*graph, OracleFairness::kWeak, fair_choices).violated(p)) return true;
      return false;
    };
    if (any(true)) out.violated.insert(test.name);
    else ++out.verified;
    if (any(false) && !any(true)) out.needs_fair_choices.insert(test.name);
  }
  return out;
}

using Names = std::set<std::string>;

TEST(ExamplesLiveness, BugsThatNeverEndAreThere) {
  for (const Points points : {Points::kNeeded, Points::kAll}) {
    EXPECT_EQ(decide("elevator-door", points).violated, Names{"tcBugStubborn"});
    EXPECT_EQ(decide("le-lann", points).violated, Names{"tcBugModest___n_3"});
    EXPECT_EQ(decide("tree-identification", points).violated, Names{"tcBugHasty___length_4"});
  }
  EXPECT_EQ(decide("elevator-planning", Points::kNeeded).violated, Names{"tcBugNearestFirst"});
}

TEST(ExamplesLiveness, TheOthersHoldWithFairExecutions) {
  EXPECT_EQ(decide("elevator-door", Points::kNeeded).verified, 1);
  EXPECT_EQ(decide("le-lann", Points::kNeeded).verified, 3);
  EXPECT_EQ(decide("tree-identification", Points::kNeeded).verified, 4);
  EXPECT_EQ(decide("elevator-planning", Points::kNeeded).verified, 1);
  for (const char* name : {"bank", "chain-replication", "elevator", "espresso", "failure-detector", "german", "paxos", "ring", "two-phase-commit"}) {
    const Decided decided = decide(name, Points::kNeeded);
    EXPECT_EQ(decided.violated, Names{}) << name;
    EXPECT_GT(decided.verified, 0) << name;
  }
}

// Two coins that always fall alike: no root.
TEST(ExamplesLiveness, RootContentionNeedsFairChoices) {
  EXPECT_EQ(decide("tree-identification", Points::kNeeded).needs_fair_choices,
            (Names{"tcPath___length_2", "tcPath___length_3", "tcPath___length_4"}));
  EXPECT_EQ(decide("le-lann", Points::kNeeded).needs_fair_choices, Names{});
}

}  // namespace
}  // namespace tarry::test
