// What the interpreter tells about executions: states, decisions, places, bounds.
#include "tests/support/p_reference/interpreter.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/p_reference/text.h"
#include "tests/support/p_source.h"

namespace tarry::plang::reference {
namespace {

std::unique_ptr<CheckedProgram> compiled(const std::string& source) {
  Compiled out = testing_support::compile_text(source);
  EXPECT_NE(out.program, nullptr) << out.messages;
  return std::move(out.program);
}

class FirstChoice final : public Chooser {
 public:
  std::uint32_t machine(const std::vector<std::uint32_t>& enabled_ids) override { return enabled_ids.front(); }
  bool boolean() override { return false; }
  std::uint64_t integer(std::uint64_t) override { return 0; }
};

class Listener final : public StepHook {
 public:
  void state(const std::string& text) override { states.push_back(text); }
  std::vector<std::string> states;
};

RunResult run_first(const std::string& source, std::uint64_t max_steps = 100, StepHook* hook = nullptr,
                    AtBound at_bound = AtBound::kCut) {
  const std::unique_ptr<CheckedProgram> program = compiled(source);
  FirstChoice chooser;
  return run(*program, program->tests.at(0), chooser, max_steps, hook, at_bound);
}

TEST(Interpreter, TellsTheStateAtEveryPoint) {
  Listener listener;
  const RunResult result = run_first(R"(
event e: (int, bool); event stop;
machine M { var s: set[int]; var o: machine;
  start state A { entry (m: machine) { o = m; s += (2); s += (1); receive { case stop: { } } raise halt; } } }
machine Main { var m: M; var a: any;
  start state S { entry { m = new M(this); a = 2.0; announce stop; send m, e, 1, true; send m, stop; } } }
spec P observes stop { var n: int; start state C { on stop do { n = n + 1; } } }
test T [main = Main]: assert P in { M, Main };
)",
                                     100, &listener);
  EXPECT_EQ(result.outcome(), "pass") << result.message;
  const std::vector<std::string> expected = {
      "0 Main new S {m=null, a=null} []\nmonitor P C {n=0}\n",
      "0 Main running S {m=null, a=null} []\nmonitor P C {n=0}\n",
      "0 Main running S {m=@0.0, a=2f} []\n0.0 M new A {s={}, o=null} []\nmonitor P C {n=1}\n",
      "0 Main running S {m=@0.0, a=2f} []\n0.0 M new A {s={}, o=null} [e(<1,true,>)]\nmonitor P C {n=2}\n",
      "0 Main idle S {m=@0.0, a=2f} []\n0.0 M new A {s={}, o=null} [e(<1,true,>), stop]\nmonitor P C {n=2}\n",
      "0 Main idle S {m=@0.0, a=2f} []\n0.0 M running A {s={1, 2}, o=@0} [e(<1,true,>)]\nmonitor P C {n=2}\n",
      "0 Main idle S {m=@0.0, a=2f} []\n0.0 M halted\nmonitor P C {n=2}\n",
  };
  EXPECT_EQ(listener.states, expected);
  const std::vector<Decision> decisions = {{Decision::kMachine, 0}, {Decision::kMachine, 1}, {Decision::kMachine, 1},
                                           {Decision::kMachine, 1}, {Decision::kMachine, 1}, {Decision::kMachine, 2},
                                           {Decision::kMachine, 2}};
  EXPECT_EQ(result.decisions, decisions);
}

TEST(Interpreter, LogsPrintsAndWhatHappens) {
  const RunResult result = run_first(R"(
event e: int;
machine Main { start state S { entry { print format("{0}!", choose(2)); send this, e, 4; } on e goto T; } state T { } }
)");
  const std::vector<std::string> expected = {"create Main(1)",           "enter Main(1) S",   "print 0!",
                                             "send Main(1) Main(1) e 4", "dequeue Main(1) e", "enter Main(1) T"};
  EXPECT_EQ(result.log, expected);
  EXPECT_EQ(result.decisions[2], (Decision{Decision::kInt, 0}));
}

TEST(Interpreter, NamesMessageAndPlaceOfAnAssertion) {
  const RunResult result =
      run_first("machine Main { start state S { entry {\n  assert 1 > 2, format(\"is {0}\", \"{{7}}\"); } } }");
  EXPECT_EQ(result.outcome(), "R01");
  EXPECT_EQ(result.message, "is {7}");
  EXPECT_EQ(result.place.offset, 41u);
}

TEST(Interpreter, CutsAtTheBoundUnlessNothingIsLeftToDecide) {
  const std::string source = "machine Main { start state S { entry { assert $ || true; } } }";
  EXPECT_EQ(run_first(source, 3).outcome(), "pass");
  EXPECT_EQ(run_first(source, 2).outcome(), "cut");
  EXPECT_EQ(run_first(source, 2).steps, 2u);
  EXPECT_EQ(run_first(source, 0).outcome(), "cut");
  EXPECT_EQ(run_first(source, 2, nullptr, AtBound::kFail).outcome(), "R22");
}

TEST(Interpreter, DoesNotCheckForHotMonitorsWhenCut) {
  const std::string source =
      "event e; machine Main { start state S { on null do { } } } spec P observes e { start hot state A { } }\n"
      "test T [main = Main]: assert P in { Main };";
  EXPECT_EQ(run_first(source, 50).outcome(), "cut");
}

TEST(Interpreter, StopsCodeThatNeverEnds) {
  EXPECT_EQ(run_first("machine Main { start state S { entry { while (true) { } } } }").outcome(), "R23");
  EXPECT_EQ(run_first("machine Main { start state S { entry { f(); } } fun f() { f(); } }").outcome(), "R23");
  EXPECT_EQ(run_first("event e; machine Main { start state S { entry { raise e; } on e do { raise e; } } }").outcome(), "R23");
}

TEST(Interpreter, ExploresEveryExecution) {
  // Two values, then three; the states are those before the entry and the two at the end.
  const std::unique_ptr<CheckedProgram> program =
      compiled("machine Main { var b: bool; start state S { entry { b = $; b = choose(3) == 1; } } }");
  const Explored all = explore_all(*program, program->tests.at(0), 100);
  EXPECT_EQ(all.executions, 6u);
  EXPECT_EQ(all.states.size(), 3u);
  EXPECT_TRUE(all.complete);
  EXPECT_FALSE(explore_all(*program, program->tests.at(0), 100, 5).complete);
}

TEST(Text, WritesFloatsAsShortAsTheyRead) {
  for (const auto& [value, text] : std::vector<std::pair<double, std::string>>{{10.0, "10"},
                                                                               {0.1, "0.1"},
                                                                               {-2.5, "-2.5"},
                                                                               {0.0001, "0.0001"},
                                                                               {0.00001, "1E-05"},
                                                                               {123456789012345.0, "123456789012345"},
                                                                               {1e15, "1E+15"},
                                                                               {1.5e300, "1.5E+300"},
                                                                               {-0.0, "-0"}}) {
    EXPECT_EQ(float_text(value), text);
  }
}

}  // namespace
}  // namespace tarry::plang::reference
