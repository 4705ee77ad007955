// Sections 3.4 and 3.5: declarations of machines and states, handlers, warnings.
#include <gtest/gtest.h>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::as_marked;
using testing_support::compile_text;
using testing_support::global_as_marked;
using testing_support::member_as_marked;

TEST(StartStates, AreExactlyOneInMachines) {
  EXPECT_TRUE(as_marked("machine M { start state S { } start state /*E14*/T { } start state /*E14*/U { } }"));
  EXPECT_TRUE(as_marked("machine /*E15*/M { state S { } } machine /*E15*/N { }"));
  EXPECT_TRUE(as_marked("machine M { state S { } start state T { } }"));
}

TEST(StartStates, MayBeMissingInMonitorsButNotTwice) {
  EXPECT_TRUE(as_marked("event e; spec P observes e { state S { ignore e; } }"));
  EXPECT_TRUE(as_marked("event e; spec P observes e { start state S { ignore e; } start state /*E14*/T { } }"));
}

TEST(States, HaveOneEntryAndOneExit) {
  EXPECT_TRUE(as_marked("machine M { start state S { entry { } /*E11*/entry { } exit { } /*E12*/exit f; } fun f() { } }"));
  EXPECT_TRUE(as_marked("machine M { start state S { entry { } exit { } } state T { exit f; entry f; } fun f() { } }"));
}

TEST(States, HaveOneHandlerAnEvent) {
  EXPECT_TRUE(as_marked("event a; event b; machine M { start state S { on a do { } on b, /*E13*/a goto S; } }"));
  EXPECT_TRUE(as_marked("event a; event b; machine M { start state S { defer a; ignore b, /*E13*/a; on /*E13*/b do { } } }"));
  EXPECT_TRUE(as_marked(
      "event a; machine M { start state S { on null do { } on a, /*E13*/null do { } on halt do { } ignore /*E13*/halt; } }"));
  EXPECT_TRUE(
      as_marked("event a; event b; machine M { start state S { on a, b do { } } state T { defer a; ignore b; on null goto S; on "
                "halt goto T; } }"));
}

TEST(Monitors, NeitherDeferNorGetTheNullEvent) {
  EXPECT_TRUE(as_marked("event a; spec P observes a { start state S { on /*E16*/null do { } on a do { } } }"));
  EXPECT_TRUE(as_marked("event a; spec P observes a { start state S { defer /*E17*/a; } }"));
  EXPECT_TRUE(as_marked("event a; spec P observes a, halt { start state S { ignore a; on halt goto S; } }"));
}

TEST(Monitors, AreWarnedOfEventsTheyDoNotObserve) {
  EXPECT_TRUE(as_marked(
      "event a; event b; spec P observes a { start state S { on a do { raise b; } on /*W1*/b do { } ignore /*W1*/halt; } }"));
}

TEST(Scenarios, AreWarnedOfTheirColdStates) {
  EXPECT_TRUE(as_marked("event a; scenario /*W2*/P observes a { start state S { ignore a; } hot state T { } }"));
  EXPECT_TRUE(as_marked("event a; scenario P observes a { start cold state /*W3*/S { ignore a; } }"));
  EXPECT_TRUE(as_marked("event a; scenario P observes a { start state S { on a goto T; } cold state T { ignore a; } }"));
  EXPECT_TRUE(as_marked("event a; spec P observes a { start cold state S { ignore a; } }"));
}

TEST(States, OfMachinesMayBeHotOrCold) { EXPECT_TRUE(as_marked("machine M { start hot state S { } cold state T { } }")); }

// ---- Functions of handlers.

TEST(Handlers, TakeAtMostOneParameter) {
  EXPECT_TRUE(as_marked(R"(event e: int;
    machine M { fun two(x: int, y: int) { } fun one(x: int) { }
      start state S { on e do /*E18*/two; } state T { entry /*E18*/two; on e goto S with /*E18*/two; }
      state U { entry one; on e do one; } })"));
}

TEST(Handlers, OfExitTakeNone) {
  EXPECT_TRUE(
      as_marked("machine M { fun one(x: any) { } fun none() { } start state S { exit /*E19*/one; } state T { exit none; } }"));
}

TEST(Handlers, AreFunctionsOfTheMachine) {
  EXPECT_TRUE(as_marked(R"(event e; fun global() { } fun abroad();
    machine M { fun foreign_method(); fun own() { global(); abroad(); foreign_method(); }
      start state S { entry /*E20*/global; exit /*E20*/abroad; on e do /*E20*/foreign_method; on halt goto S with /*E20*/global; }
      state T { entry own; exit own; on e do own; on halt goto S with own; } })"));
}

TEST(Handlers, MayHaveResultsThatAreDropped) {
  EXPECT_TRUE(as_marked("event e: int; machine M { start state S { on e do f; } fun f(x: int): bool { return x > 0; } }"));
}

TEST(Handlers, TakeWhatTheEventCarries) {
  EXPECT_TRUE(member_as_marked(R"(
    fun takes_int(x: int) { } fun takes_any(x: any) { } fun takes_nothing() { }
    start state S { on ei do takes_int; on ea do takes_any; on et do takes_nothing; on e do takes_any; on null do takes_any;
      on halt do { } }
    state A { on ei do (x: int) { } on e do { } on et do (p: (int, bool)) { } on em do (m: machine) { } }
    state B { on ei, /*E22*/et, /*E22*/e do (x: int) { } }
    state C0 { on /*E22*/ei do (x: bool) { } on /*E22*/null do (x: int) { } on /*E22*/halt do takes_int;
      on /*E22*/ea do takes_int; })"));
}

TEST(Handlers, OfTransitionsAndEntriesOfTargetsTakeIt) {
  EXPECT_TRUE(member_as_marked(R"(
    start state S { entry { } on ei goto T; on e goto /*E22*/T; on et goto U with { } on ea goto U with (x: any) { } }
    state T { entry (x: int) { } on /*E22*/ei goto U with (b: bool) { } on e goto U with { } }
    state U { entry (x: any) { } on /*E22*/ei goto /*E22*/V with (b: bool) { } on null goto V; on halt goto V; on e goto W0; }
    state V { entry (m: machine) { } } state W0 { })"));
}

TEST(Handlers, TakeTheFieldOfATupleOfOne) {
  EXPECT_TRUE(member_as_marked(R"(
    start state S { on e1 do (x: int) { } } state T { on e1 do (x: (int)) { } } state U { on e1 goto V; } state V {
      entry (x: int) { } }
    state Z { on /*E22*/e1 do (x: bool) { } entry { receive { case /*E22*/e1: (x: int) { } } } })"));
}

// ---- Interfaces and payloads.

TEST(Constructors, TakeTheParameterOfTheStartEntry) {
  const Compiled compiled = compile_text(R"(
    interface I((int, bool)) receives halt; interface J() receives;
    machine A { start state S { entry (x: int) { } } } machine B { start state S { entry f; } fun f(x: seq[int]) { } }
    machine D { start state S { entry { } } state T { entry (x: int) { } } } machine E { start state S { } })");
  ASSERT_NE(compiled.program, nullptr) << compiled.messages;
  std::string all;
  for (const Interface* one : compiled.program->interfaces) all += one->name.text + " " + type_text(one->payload) + "; ";
  EXPECT_EQ(all, "I (int, bool); J (no value); A int; B seq[int]; D (no value); E (no value); ");
}

TEST(Clauses, AccumulateAndTheirAbsenceMeansAll) {
  const Compiled compiled = compile_text(R"(
    event a; event b; machine A receives a; receives b; sends; { start state S { } } machine B { start state S { } }
    machine D receives; sends halt; { start state S { } } spec P observes a, a { start state S { ignore a; } })");
  ASSERT_NE(compiled.program, nullptr) << compiled.messages;
  const auto& machines = compiled.program->machines;
  EXPECT_EQ(machines[0]->receive_set->members(), (std::vector<std::uint32_t>{2, 3}));
  EXPECT_TRUE(machines[0]->send_set->empty());
  EXPECT_EQ(machines[1]->receive_set, compiled.program->all_events);
  EXPECT_EQ(compiled.program->all_events->members(), (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_TRUE(machines[2]->receive_set->empty());
  EXPECT_EQ(machines[2]->send_set->members(), std::vector<std::uint32_t>{kHaltEvent});
  EXPECT_TRUE(machines[3]->receive_set->empty());
  EXPECT_EQ(machines[3]->observe_set->members(), std::vector<std::uint32_t>{2});
  EXPECT_EQ(machines[3]->own_interface, nullptr);
}

TEST(Broken, EntriesAreNotToldOfAgain) {
  EXPECT_TRUE(global_as_marked(R"(
    machine Main { start state S { entry /*E07*/nobody; on ei goto S; } fun h() { goto S; goto S, 1; } }
    machine User { start state S { entry { new Main(); new Main(3); new /*E07*/Maine(); } } })"));
}

}  // namespace
}  // namespace tarry::plang
