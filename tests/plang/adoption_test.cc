// Chains of machines in which each one creates the next one and halts: the loop closes, and nothing else changes.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "tests/support/fair_oracle.h"
#include "tests/support/fewer.h"
#include "tests/support/p_everything.h"
#include "trace/replayer.h"

namespace tarry::test {
namespace {

using plang::Points;

/// A chain whose links ask Main for leave to go on. `round`: what a link does when it may.
std::string chain(const std::string& round, const std::string& fields = "var m: machine;", const std::string& start = "entry (boss: machine) { m = boss; send m, tick, this; }") {
  return R"(event tick: machine; event go; event ask; event got;
machine Main { start state S { entry { announce ask; new Link(this); } on tick do (l: machine) { send l, go; } } }
machine Link { )" + fields + " start state S { " + start + " on go do { " + round + R"( } } }
spec Answered observes ask, got { start cold state Calm { on ask goto Waits; ignore got; } hot state Waits { on got goto Calm; ignore ask; } }
test t [main=Main]: assert Answered in { Main, Link };
)";
}
const char* const kNext = "new Link(m); raise halt;";

std::size_t states(const Program& program) {
  const Everything all = every_state(program, 3000);
  EXPECT_TRUE(all.failures.empty());
  return all.complete ? all.states.size() : 0;
}

Searched searched(const Searchable& p, LoopFairness fairness) {
  SearchOptions options;
  options.limits.memory = 256 << 20;
  options.limits.states = 20'000;
  options.fairness = fairness;
  Searched out = run_search(*p.program, "fair-cycle", "round-robin", options);
  for (Finding finding : out.findings) {
    p.program->make_portable(finding);
    const plang::PProgram again(*p.ready.code, p.ready.test(), p.points, plang::Purpose::kReplay);
    EXPECT_TRUE(again.closes(finding.schedule, finding.loop));
    Telling telling;
    telling.loop = finding.loop;
    const Replay shown = replay(again, finding.schedule, {}, {}, telling);
    EXPECT_FALSE(shown.diverged_at) << shown.divergence;
    EXPECT_EQ(shown.ending.kind, FindingKind("liveness"));
  }
  return out;
}

TEST(Adoption, AChainOfMachinesThatHaltIsFinite) {
  for (const Points points : {Points::kNeeded, Points::kAll}) {
    EXPECT_NE(states(*Searchable(chain(kNext), points).program), 0u);
    EXPECT_NE(states(*Searchable(chain("announce ask; announce got; new Link(m); raise halt;"), points).program), 0u);
  }
}

TEST(Adoption, ABugBehindAChainIsFoundAndReplays) {
  for (const Points points : {Points::kNeeded, Points::kAll})
    for (const LoopFairness fairness : {LoopFairness::kNone, LoopFairness::kWeak, LoopFairness::kStrong}) {
      const Searched bad = searched(Searchable(chain(kNext), points), fairness);
      ASSERT_EQ(bad.findings.size(), 1u);
      EXPECT_EQ(bad.findings[0].kind, FindingKind("liveness"));
      EXPECT_GT(bad.findings[0].loop, 0u);
      EXPECT_TRUE(searched(Searchable(chain("announce ask; announce got; new Link(m); raise halt;"), points), fairness).outcome.live);
    }
}

// The predecessor is known to its successor, and so on: one more machine that has halted is kept.
TEST(Adoption, WhatALinkRefersToMovesWithIt) {
  const auto text = [](const std::string& check) {
    return chain("new Link((m, this)); raise halt;", "var m: machine; var before: machine;", "entry (who: (machine, machine)) { m = who.0; before = who.1; " + check + " send m, tick, this; }");
  };
  std::string same = text("assert before != this;");
  same.replace(same.find("new Link(this)"), 14, "new Link((this, this))");
  for (const Points points : {Points::kNeeded, Points::kAll}) EXPECT_NE(states(*Searchable(same, points).program), 0u);
}

// Machines below a link move with it. A helper outlives its creator.
TEST(Adoption, MachinesBelowMoveToo) {
  const std::string text = R"(event tick: machine; event go; event up: machine; event down;
machine Main { start state S { entry { new Link(this); } on tick do (l: machine) { send l, go; } on up do (h: machine) { send h, down; } } }
machine Link { var m: machine; start state S { entry (boss: machine) { m = boss; new Helper(m); send m, tick, this; } on go do { new Link(m); raise halt; } } }
machine Helper { start state S { entry (m: machine) { send m, up, this; } on down do { raise halt; } } }
)";
  const Searchable p(text);  // with helpers that are never late there are few states; late ones pile up
  const plang::PProgram shallow(*p.ready.code, p.ready.test(), Points::kNeeded, plang::Purpose::kSearch, {.deep = 0});
  const Everything all = every_state(shallow, 3000);
  EXPECT_TRUE(all.failures.empty());
}

// The place of a machine in a set can depend on its name: such machines stay where they are.
TEST(Adoption, MachinesInSetsStayWhereTheyAre) {
  const std::string text = chain("seen = default(set[machine]); seen += (this); new Link((m, seen)); raise halt;", "var m: machine; var seen: set[machine];",
                                 "entry (who: (machine, set[machine])) { m = who.0; seen = who.1; send m, tick, this; }");
  std::string fits = text;
  fits.replace(fits.find("new Link(this)"), 14, "new Link((this, default(set[machine])))");
  std::set<std::string> bugs;
  every_state(*Searchable(fits).program, 400, &bugs);
  EXPECT_EQ(bugs, std::set<std::string>{}) << fits;
}

/// A chain at random, or the same program with a machine that starts again instead of creating the next one.
class ChainProgram {
 public:
  explicit ChainProgram(std::uint64_t seed) : seed_(seed) {}
  std::string text(bool chained) {
    Rng rng(seed_, 7);
    const auto chance = [&](unsigned percent) { return rng.below(100) < percent; };
    const auto tell = [&] { return chance(60) ? "announce m" + std::to_string(rng.below(3)) + "; " : std::string(); };
    const bool helps = chance(40), two = chance(30), remembers = chance(40);
    std::string out = "event tick: machine; event go: bool; event m0; event m1; event m2; event spin;\n";
    out += "machine Main { start state S { entry { " + tell() + "new Link((this, null as machine)); " + (two ? "new Link((this, null as machine)); " : "") + "} on tick do (l: machine) { " + tell() + "send l, go, " + (chance(50) ? "$" : "true") + "; } } }\n";
    const std::string self = remembers ? "this" : "null as machine";
    const std::string next = chained ? "new Link((m, " + self + ")); raise halt; " : "goto Again; ";
    const std::string asks = tell() + (helps ? "new Helper(m); " : "") + "send m, tick, this; ";
    out += "machine Link { var m: machine; var last: machine; start state S { entry (who: (machine, machine)) { m = who.0; last = who.1; goto Again; } }\n"
           "state Again { entry { " + asks + "} on go do (b: bool) { if (b) { " + tell() + "} else { " + tell() + "} " + next + "} } }\n";
    out += "machine Helper { start state S { entry (m: machine) { " + tell() + "raise halt; } } }\n";
    const std::string hot = "m" + std::to_string(rng.below(2)), cold = chance(70) ? "m2" : "m1";
    out += "spec Answered observes m0, m1, m2 { start cold state Calm { on " + hot + " goto Waits; ignore " + others(hot) + "; } hot state Waits { " + (cold == hot ? "ignore m0, m1, m2;" : "on " + cold + " goto Calm; ignore " + others(cold) + ";") + " } }\n";
    return out + "test t [main=Main]: assert Answered in { Main, Link, Helper };\n";
  }

 private:
  static std::string others(const std::string& event) {
    std::string out;
    for (const char* e : {"m0", "m1", "m2"})
      if (event != e) out += (out.empty() ? "" : ", ") + std::string(e);
    return out;
  }
  std::uint64_t seed_;
};

// With adoption from the first creator on, and only far down; with few points and with all; and without any chain: one verdict.
TEST(Adoption, RandomChainsHaveTheVerdictOfLoops) {
  std::size_t bugs = 0, none = 0;
  for (std::uint64_t seed = 1; seed <= fewer(60u); ++seed) {
    ChainProgram random(seed);
    const Searchable loop(random.text(false));
    const auto plain = live_graph(*loop.program, 400);
    if (!plain) continue;
    ASSERT_TRUE(plain->failures.empty()) << random.text(false);
    const Searchable chained(random.text(true));
    for (const std::uint32_t deep : {0u, 1u, 2u, 8u})
      for (const Points points : {Points::kNeeded, Points::kAll}) {
        if (points == Points::kAll && deep > 1) continue;  // too many states
        const plang::PProgram program(*chained.ready.code, chained.ready.test(), points, plang::Purpose::kSearch, {.deep = deep});
        const auto graph = live_graph(program, 1500);
        if (!graph) continue;
        for (const OracleFairness fairness : {OracleFairness::kNone, OracleFairness::kWeak})
          for (const bool fair_choices : {false, true}) {
            const bool bad = FairOracle(*plain, fairness, fair_choices).violated(0);
            ASSERT_EQ(FairOracle(*graph, fairness, fair_choices).violated(0), bad)
                << "seed " << seed << " deep " << deep << " points " << static_cast<int>(points) << " fairness " << static_cast<int>(fairness) << " fair choices " << fair_choices << "\n" << random.text(true);
            (bad ? bugs : none) += 1;
          }
      }
  }
  EXPECT_GT(bugs, fewer(40u));
  EXPECT_GT(none, fewer(40u));
}

}  // namespace
}  // namespace tarry::test
