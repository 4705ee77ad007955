// Machines that make machines without end: local steps come first, but the others have their turn all the same.
#include <gtest/gtest.h>

#include "tests/support/p_everything.h"

namespace tarry::test {
namespace {

using plang::Points;

const char* const kOther = R"(
event e;
machine Other { start state S { entry { send this, e; } on e do { assert false; } } }
machine Main { start state S { entry { new Link(0); new Other(); } } })";

/// Each machine makes so many of its kind and halts; after `last` links the chain ends. -1: never.
std::string chain(int makes, int last) {
  std::string out = "machine Link { start state S { entry (n: int) { if (n != " + std::to_string(last) + ") { ";
  for (int i = 0; i < makes; ++i) out += "new Link(n + 1); ";
  return out + "} raise halt; } } }" + kOther;
}

TEST(Chains, MachinesThatMakeMachinesWithoutEndStarveNobody) {
  const Everything states = every_state(*Searchable(chain(1, -1)).program, 40);
  EXPECT_FALSE(states.complete);
  EXPECT_TRUE(states.failures.contains("assertion"));
}

// There are hundreds of machines before one is deep.
TEST(Chains, NorDoThoseThatMakeSeveral) {
  const Searchable p(chain(5, -1));
  const Searched result = run_search(*p.program, "bfs", "round-robin", {});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind("assertion"));
}

TEST(Chains, SearchesFindWhatTheOthersDo) {
  const Searchable p(chain(1, -1));
  for (const char* name : {"bfs", "dfs", "depth-bounded", "random-dfs", "pct"}) {
    SCOPED_TRACE(name);
    SearchOptions options;
    options.limits.samples = 10;
    options.limits.max_depth = 20;
    options.limits.max_depth_given = true;
    const Searched result = run_search(*p.program, name, "round-robin", options);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind("assertion"));
    EXPECT_EQ(p.replayed(result.findings[0]), "");
  }
}

// A chain that ends costs nothing: with seven links below Main, each has its local step before anybody else. Main, seven links and the start
// of Other up to its send are local; then it sends, and fails. One state after another.
TEST(Chains, ShortOnesComeFirst) {
  const Everything states = every_state(*Searchable(chain(1, 6)).program);
  EXPECT_EQ(states.states.size(), 11u);
  EXPECT_EQ(states.transitions, 11u);
  EXPECT_TRUE(states.failures.contains("assertion"));
}

// A hundred machines beside each other, each of which makes one that has nothing to do: still one order.
TEST(Chains, SoDoManyBesideEachOther) {
  const Searchable p(R"(
    machine Leaf { start state S { } }
    machine Maker { start state S { entry { new Leaf(); } } }
    machine Main { start state S { entry { var i: int; while (i < 100) { new Maker(); i = i + 1; } } } })");
  const Everything states = every_state(*p.program);
  EXPECT_EQ(states.states.size(), 202u);
  EXPECT_EQ(states.transitions, 201u);
}

}  // namespace
}  // namespace tarry::test
