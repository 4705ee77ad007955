// Section 3.8: effects, purity of monitors, exit and transition functions.
#include <gtest/gtest.h>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::as_marked;
using testing_support::compile_text;
using testing_support::global_as_marked;

std::string spec_with(const std::string& members) {
  return "spec Watch observes e {\n" + members + "\n start state Start { ignore e; } }";
}

TEST(Monitors, DoNotUseWhatTouchesMachines) {
  EXPECT_TRUE(global_as_marked(spec_with(R"(
    fun h() { var b: bool; var m: machine; var a: any; b = /*E35*/$; b = /*E35*/$$; a = /*E35*/this; m = /*E35*/new M();
      /*E35*/send m, e; /*E35*/announce e; /*E35*/receive { case e: { } } })")));
}

TEST(Monitors, DoNotCreateOrChoose) {
  EXPECT_TRUE(
      global_as_marked(spec_with("fun h() { var x: int; /*E36*/new M(); x = /*E36*/choose(3); assert /*E36*/choose(); }")));
}

TEST(Monitors, DoNotCallImpureFunctions) {
  EXPECT_TRUE(global_as_marked(R"(
    fun can_send(m: machine) { send m, e; } fun announces() { announce e; } fun can_create() { new M(); } fun can_receive() {
      receive { case e: { } } }
    fun chooses(): bool { return $; } fun deep() { deeper(); } fun deeper() { if ($) { deep(); } } fun abroad() creates M;
      fun pure_abroad(): int;
    fun raises() { raise e; } fun prints() { print "x"; } fun counts(x: int): int { return x + 1; }
    spec Watch observes e { start state Start { ignore e; entry { /*E36*/announces(); own(); } }
      fun own() { /*E36*/can_send(null); /*E36*/can_create(); /*E36*/can_receive(); assert /*E36*/chooses(); /*E36*/deep();
      /*E36*/abroad(); } })"));
  EXPECT_TRUE(global_as_marked(R"(
    fun raises() { raise e; } fun prints() { print "x"; } fun counts(x: int): int { return x + 1; } fun pure_abroad(): int;
    spec Watch observes e { var n: int; start state Start { ignore e; entry { raises(); prints();
      n = counts(n) + pure_abroad(); if (n > 3) { goto Start; } raise e; } } })"));
}

TEST(ExitAndTransitionFunctions, NeitherRaiseNorGo) {
  EXPECT_TRUE(global_as_marked(R"(
    machine Here { start state S { exit { /*E39*/raise e; } on e goto S with { if ($) { /*E39*/goto S; } } } state T { exit {
      /*E39*/raise e; /*E39*/goto T; } } })"));
  EXPECT_TRUE(global_as_marked(R"(
    machine Here { start state S { exit /*E39*/named; on e goto S with /*E39*/deep; } fun named() { goto S; } fun deep() {
      deeper(); } fun deeper() { raise e; } })"));
  EXPECT_TRUE(global_as_marked(R"(
    machine Here { start state S { exit { /*E39*/deep(); } } fun deep() { receive { case e: { raise e; } } } })"));
}

TEST(ExitAndTransitionFunctions, DoEverythingElse) {
  EXPECT_TRUE(global_as_marked(R"(
    machine Here { start state S { exit { send this, e; new M(); receive { case e: { } } if ($) { announce e; } }
      on e goto S with h; on ei do { raise e; } entry { goto S; } }
      fun h() { send this, e; } }
    spec Watch observes e { start state S { on e goto S with { print "x"; } exit { /*E39*/raise e; } } })"));
}

TEST(Effects, SpreadFromCalleesToCallers) {
  const Compiled compiled = compile_text(R"(
    event e; machine M { start state S { } fun goes() { goto S; } fun all() { one(); goes(); } }
    fun one() { two(); } fun two() { one(); send null as machine, e; raise e; } fun three() { announce e; } fun four() {
      new M(); three(); }
    fun five() { receive { case e: { if ($) { } } } } fun six() { } fun seven(): bool { return seven(); })");
  ASSERT_NE(compiled.program, nullptr) << compiled.messages;
  std::string all;
  for (const Function* function : compiled.program->functions) {
    const auto& has = function->effects;
    all += function->name.text + ":" + (has.raises ? "r" : "") + (has.changes_state ? "g" : "") + (has.sends ? "s" : "") +
           (has.announces ? "a" : "") + (has.creates ? "n" : "") + (has.receives ? "w" : "") + (has.chooses ? "c" : "") + " ";
  }
  EXPECT_EQ(all, "one:rs two:rs three:a four:an five:wc six: seven: goes:g all:rgs ");
}

TEST(Creates, AreFoundThroughCallsAndInArguments) {
  const Compiled compiled = compile_text(R"(
    event e: machine; interface I() receives; interface J() receives; interface K() receives; machine A { start state S { } }
      machine B { start state S { } }
    fun far() { if ($) { farther(); } } fun farther() { far(); new I(); } fun abroad() creates J; fun unused() { new K(); }
    machine C { start state S { entry { far(); print format("{0}", new A()); } exit { abroad(); } on e do (m: machine) {
      var s: seq[machine]; m = choose(with_b(s)); } }
      fun with_b(s: seq[machine]): seq[machine] { s += (0, new B()); return s; } }
    machine D { start state S { entry { new D(); new D(); } } fun never() { new A(); } })");
  ASSERT_NE(compiled.program, nullptr) << compiled.messages;
  std::string all;
  for (const Machine* machine : compiled.program->machines) {
    all += machine->name.text + ":";
    for (const Interface* one : machine->creates) all += one->name.text;
    all += " ";
  }
  EXPECT_EQ(all, "A: B: C:IJAB D:AD ");
}

}  // namespace
}  // namespace tarry::plang
