// Machines that are created in a loop: the identity of one that has halted and that nobody refers to is used again, so that the loop closes.
#include <gtest/gtest.h>

#include "tests/support/fewer.h"
#include "tests/support/p_everything.h"
#include "tests/support/p_reference/generator.h"
#include "tests/support/p_reference/interpreter.h"

namespace tarry::test {
namespace {

using plang::Points;
namespace reference = plang::reference;

constexpr std::size_t kMost = 3000, kSmall = 400;

/// How many states there are; 0: too many.
std::size_t states(const std::string& text, Points points = Points::kNeeded) {
  const Searchable p(text, points);
  const Everything all = every_state(*p.program, kMost);
  EXPECT_TRUE(all.failures.empty()) << all.failures.begin()->first;
  return all.complete ? all.states.size() : 0;
}

/// A client that makes a worker in every round; the worker answers and halts.
std::string rounds(const std::string& client, const std::string& worker) {
  return "event done: machine; event tick; event kept: machine;\nmachine Main { var w: machine; var all: seq[machine]; start state S {\n" + client +
         "} }\nmachine Worker { start state W { entry (m: machine) { " + worker + " } } }\n";
}

const char* const kEachRound = "entry { w = new Worker(this); } on done do (m: machine) { w = new Worker(this); }\n";

// All points are needed ones here. Main: fresh, before 'new', before the next 'new' (twice: two numbers in turn) …: a handful; without reuse one more in every round.
TEST(Reuse, ALoopThatCreatesAMachineInEachRoundIsFinite) {
  for (const Points points : {Points::kNeeded, Points::kAll}) {
    EXPECT_NE(states(rounds(kEachRound, "send m, done, this; raise halt;"), points), 0u);
    EXPECT_NE(states(rounds("entry { new Worker(this); } on done do (m: machine) { new Worker(this); }", "send m, done, this; raise halt;"), points), 0u);
  }
}

TEST(Reuse, AMachineThatDoesNotHaltKeepsItsIdentity) { EXPECT_EQ(states(rounds(kEachRound, "send m, done, this;")), 0u); }

TEST(Reuse, AMachineThatSomebodyRefersToKeepsItsIdentity) {
  const char* const keeps = "entry { w = new Worker(this); } on done do (m: machine) { all += (sizeof(all), m); w = new Worker(this); }\n";
  EXPECT_EQ(states(rounds(keeps, "send m, done, this; raise halt;")), 0u);
  const char* const keeps_two =
      "entry { w = new Worker(this); } on done do (m: machine) { all += (0, m); if (sizeof(all) > 2) { all -= (2); } w = new Worker(this); }\n";
  EXPECT_NE(states(rounds(keeps_two, "send m, done, this; raise halt;")), 0u);
}

// The child of one that has halted is known by it.
TEST(Reuse, TheCreatorOfALivingMachineKeepsItsIdentity) {
  const std::string text = R"(
event done: machine; event go;
machine Main { start state S { entry { new A(this); } on done do (m: machine) { new A(this); send m, SENT; } } }
machine A { start state S { entry (m: machine) { new B(m); raise halt; } } }
machine B { start state S { entry (m: machine) { send m, done, this; } on go do { } } }
)";
  const auto with = [&](const std::string& event) { return std::string(text).replace(text.find("SENT"), 4, event); };
  EXPECT_EQ(states(with("go")), 0u);
  EXPECT_NE(states(with("halt")), 0u);
}

// A spec's variables refer to machines, too; and what waits in an inbox.
TEST(Reuse, SpecsAndInboxesRefer) {
  const std::string program = R"(
event done: machine; event tell: machine; event go;
machine Main { start state S { entry { new A(this); } on done do (m: machine) { announce tell, m; new A(this); } } }
machine A { start state S { entry (m: machine) { send m, done, this; raise halt; } } }
spec Last observes tell { var seen: SEEN; start state S { on tell do (m: machine) { KEEP } } }
test t [main=Main]: assert Last in { Main, A };
)";
  const auto with = [&](const std::string& type, const std::string& keep) {
    std::string out = program;
    out.replace(out.find("SEEN"), 4, type);
    return out.replace(out.find("KEEP"), 4, keep);
  };
  EXPECT_NE(states(with("machine", "assert seen != m; seen = m;")), 0u);
  EXPECT_EQ(states(with("set[machine]", "assert !(m in seen); seen += (m);")), 0u);
  const char* const deferred = R"(
event done: machine; event late: machine; event more;
machine Main { start state S { defer late; entry { new A(this); } on done do (m: machine) { new A(this); } } }
machine A { start state S { entry (m: machine) { send m, late, this; send m, done, this; raise halt; } } }
)";
  EXPECT_EQ(states(deferred), 0u);
}

// Many machines at once: more than have words of their own.
TEST(Reuse, MachinesWithoutWordsOfTheirOwnAreForgottenToo) {
  const std::string text = R"(
event done; event stop: machine;
machine Main { var w: seq[machine]; start state S {
  entry { var i: int; while (i < 70) { i = i + 1; w += (0, new W()); } goto R; } }
  state R { entry { w[0] = new W(); send w[0], stop, this; } on done goto R; } }
machine W { start state S { on stop do (m: machine) { send m, done; raise halt; } } }
)";
  EXPECT_NE(states(text), 0u);
}

/// Kinds of all that can happen. Requires: complete.
std::string kinds(const Everything& all) {
  std::string out = "verdict";
  for (const auto& [kind, steps] : all.failures) out += " " + kind;
  return out;
}

// The machine of a replay reuses nothing.
TEST(Reuse, VerdictsOfRandomProgramsAreTheSameAsWithoutIt) {
  int compared = 0, fewer_states = 0;
  for (std::uint64_t seed = 1; seed <= fewer(400u); ++seed) {
    const std::string source = reference::random_p_program(seed, seed % 2 == 0 ? reference::Flavour::kUsual : reference::Flavour::kChoosing);
    for (const Points points : {Points::kNeeded, Points::kAll}) {
      const Searchable p(source, points);
      const plang::PProgram without(*p.ready.code, p.ready.test(), points, plang::Purpose::kReplay);
      if (without.world().numbered) continue;
      const Everything expected = every_state(without, kSmall);
      if (!expected.complete) continue;
      const Everything all = every_state(*p.program, kSmall);
      ++compared;
      ASSERT_EQ(kinds(all), kinds(expected)) << source;
      fewer_states += all.states.size() < expected.states.size() ? 1 : 0;
    }
  }
  EXPECT_GT(compared, static_cast<int>(fewer(100u)));
  EXPECT_GT(fewer_states, 0);
}

}  // namespace
}  // namespace tarry::test
