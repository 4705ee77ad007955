// Section 3.10: modules, tests and implementations.
#include <gtest/gtest.h>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::as_marked;
using testing_support::compile_text;

/// Machines with send sets of their own, so that they can be composed. Top creates A through I.
const std::string kMachines = R"(
  event a; event b; event c: A; event d: machine;
  interface I() receives a; interface J() receives a; interface K() receives b; interface L(int) receives a;
  machine A receives a; sends b; { start state S { } }
  machine A2 receives a; sends c; { start state S { } }
  machine B receives b; sends a; { start state S { entry { new K(); } } }
  machine N receives a; sends; { start state S { entry (x: int) { } } }
  machine All { start state S { } }
  machine Top receives b; sends a; { start state S { entry { new I(); } } }
  spec Sb observes b { start state S { ignore b; } }
  spec Sa observes a { start state S { ignore a; } }
  spec Sc observes c { start state S { ignore c; } }
)";

testing::AssertionResult modules_as_marked(const std::string& modules) { return as_marked(kMachines + modules); }

TEST(Primitive, BindsMachinesToInterfacesOnce) {
  EXPECT_TRUE(modules_as_marked("module X = { A -> I, A2 -> J, A, All, Top };"));
  EXPECT_TRUE(modules_as_marked("module X = { A -> I, A2 -> /*E43*/I, A, /*E43*/A };"));
  EXPECT_TRUE(modules_as_marked("module X = { /*E07*/Nobody, A -> /*E07*/Nothing, /*E07*/Sb, /*E07*/I, A -> /*E07*/Sb };"));
}

TEST(Primitive, NeedsMachinesThatReceiveWhatTheInterfaceDoes) {
  EXPECT_TRUE(modules_as_marked("module X = { All -> I, A -> J }; module Y = { A -> /*E44*/K }; module Z = { All -> K };"));
}

TEST(Primitive, NeedsMachinesThatTakeTheArgumentOfTheInterface) {
  EXPECT_TRUE(modules_as_marked("module X = { N -> L }; module Y = { N -> /*E45*/I }; module Z = { A -> /*E45*/L };"));
}

TEST(Assert, TakesMonitorsOfEventsThatAreSent) {
  EXPECT_TRUE(
      modules_as_marked("module X = assert Sb in { A }; module Y = assert Sb, Sa in { A, B }; module Z = assert Sc in { All };"));
  EXPECT_TRUE(modules_as_marked(
      "module X = assert /*E46*/A in { A }; module Y = assert /*E07*/Nobody in { A }; module Z = assert /*E07*/I in { A };"));
  EXPECT_TRUE(modules_as_marked("module X = assert /*E47*/Sa in { A }; module Y = assert Sb, /*E47*/Sc in { A };"));
  EXPECT_TRUE(modules_as_marked(
      "module X = assert Sb in { A }; module Y = assert /*E48*/Sb in X; module Z = assert Sb, /*E48*/Sb in { A };"));
}

TEST(Union, KeepsInterfacesAndMonitorsApart) {
  EXPECT_TRUE(modules_as_marked("module X = union { A }, { A -> I }, { B, Top }, (assert Sb in { A -> J });"));
  EXPECT_TRUE(modules_as_marked("module X = union { A }, { B }, /*E49*/{ A, Top };"));
  EXPECT_TRUE(modules_as_marked("module P1 = assert Sb in { A }; module X = union P1, { B }, (/*E53*/assert Sb in { A -> I });"));
}

TEST(Compose, KeepsSentEventsAndCreatedInterfacesApart) {
  EXPECT_TRUE(modules_as_marked("module X = compose { A }, { B }, { A2 }, { N };"));
  EXPECT_TRUE(modules_as_marked("module X = compose { A }, /*E54*/{ A -> I };"));
  EXPECT_TRUE(modules_as_marked("module X = compose { All }, /*E54*/{ A };"));
  EXPECT_TRUE(modules_as_marked(
      "module X = compose { Top }, /*E54*//*E55*/{ Top -> K }; module Y = compose { Top }, /*E49*//*E54*//*E55*/{ Top };"));
}

TEST(HideInterfaces, NeedsThemCreatedAndBound) {
  EXPECT_TRUE(modules_as_marked("module X = hidei I in { Top, A -> I };"));
  EXPECT_TRUE(modules_as_marked("module X = hidei /*E57*/I in { Top }; module Y = hidei /*E57*/A, /*E07*/Nobody in { A };"));
}

TEST(Rename, NeedsTheOldNameAndNotTheNewOne) {
  EXPECT_TRUE(modules_as_marked("module X = rename I to J in { Top, A -> I };"));
  EXPECT_TRUE(modules_as_marked("module X = rename I to /*E58*/K in { Top, A -> I };"));
  EXPECT_TRUE(modules_as_marked("module X = rename /*E59*/J to I in { All };"));
  EXPECT_TRUE(modules_as_marked("module X = rename I to /*E60*/J in { Top, A -> I, A2 -> J };"));
  EXPECT_TRUE(modules_as_marked("module X = rename /*E07*/Q to /*E07*/R in { Top };"));
}

// ---- Hidden events. Ping is closed in itself: it creates what it binds.

const std::string kHidden = R"(
  event p; event q; event carries: Ponger; event r;
  machine Pinger receives p; sends p; { start state S { entry { new Pinger(); } } }
  machine Ponger receives p; sends p; { start state S { entry { new Ponger(); } } }
  machine Open receives p; sends p; { start state S { } }
  machine Sender receives r; sends p; { start state S { } }
  machine Carrier receives r; sends carries; { start state S { entry { new Carrier(); } } }
  machine Other receives q; sends q; { start state S { entry { new Other(); } } }
  interface OpenP() receives p; interface Wide() receives p, q;
  machine Maker receives r; sends r; { start state S { entry { new OpenP(); } } }
  machine Built receives p; sends p; { start state S { entry (o: Ponger) { new Built(o); } } }
)";

testing::AssertionResult hidden_as_marked(const std::string& modules) { return as_marked(kHidden + modules); }

TEST(HideEvents, NeedsThemSentAndReceivedInside) {
  EXPECT_TRUE(hidden_as_marked("module X = hidee p in { Pinger };"));
  EXPECT_TRUE(
      hidden_as_marked("module X = hidee /*E56*/q in { Pinger }; module Y = hidee /*E56*/p in { Sender }; module Z = hidee "
                       "/*E07*/nobody in { Pinger };"));
}

TEST(HideEvents, NeedsInterfacesThatAreCreatedAndBound) {
  EXPECT_TRUE(hidden_as_marked("module X = hidee /*E56*/p in { Open }; module Y = hidee /*E56*/p in { Pinger, Maker };"));
}

TEST(HideEvents, RefusesThoseInPayloads) {
  EXPECT_TRUE(hidden_as_marked("module X = hidee /*E56*/p in { Pinger, Carrier };"));
  EXPECT_TRUE(hidden_as_marked("module X = hidee /*E56*/p in { Built };"));
}

TEST(HideEvents, TakesThemFromTheModulesSends) {
  EXPECT_TRUE(
      hidden_as_marked("spec P observes p { start state S { ignore p; } } module X = assert P in { Pinger }; module Y = assert "
                       "/*E47*/P in hidee p in { Pinger }; module Z = hidee p in assert P in { Pinger };"));
}

TEST(Union, KeepsHiddenEventsInside) {
  EXPECT_TRUE(hidden_as_marked("module X = union (hidee p in { Pinger }), { Other };"));
  EXPECT_TRUE(hidden_as_marked("module X = union (hidee p in { Pinger }), /*E50*/{ Ponger };"));
  EXPECT_TRUE(hidden_as_marked("module X = union { Ponger }, (/*E50*/hidee p in { Pinger });"));
  EXPECT_TRUE(hidden_as_marked("module X = union (hidee p in { Pinger }), /*E51*/{ Carrier };"));
  EXPECT_TRUE(hidden_as_marked("module X = union (hidee p in { Pinger }), /*E52*/{ Maker };"));
}

// ---- Named modules.

TEST(NamedModules, AreCopiesOfTheirExpression) {
  EXPECT_TRUE(modules_as_marked("module X = Y; module Y = { A }; module Z = union X, { B }; module Q = main A in X;"));
  EXPECT_TRUE(modules_as_marked("module X = /*E07*/Nobody; module Y = X; module Z = union X, Y;"));
  EXPECT_TRUE(
      modules_as_marked("module /*E08*/X = union { A }, Y; module Y = Z; module Z = X; module Q = X; test t [main = Top]: Q;"));
}

TEST(NamedModules, AreCheckedOnceAndWithoutUse) {
  EXPECT_TRUE(modules_as_marked("module X = { A, /*E43*/A }; test t [main = A]: X; test u [main = A]: X;"));
}

// ---- Tests.

TEST(Tests, NeedAClosedModule) {
  EXPECT_TRUE(modules_as_marked("test t [main = Top]: { Top, A -> I };"));
  EXPECT_TRUE(modules_as_marked("test /*E61*/t [main = Top]: { Top };  implementation /*E61*/impl: { Top, A };"));
  EXPECT_TRUE(modules_as_marked("implementation impl: { Top, A -> I }; implementation other: { A };"));
}

TEST(Tests, NeedTheirMainMachine) {
  EXPECT_TRUE(
      modules_as_marked("test t [main = /*E62*/Nobody]: { A }; test u [main = /*E62*/Top]: { A }; test v [main = /*E62*/Sb]: { A "
                        "}; test w [main = /*E62*/I]: { A -> I };"));
  EXPECT_TRUE(modules_as_marked("test t [main = /*E63*/N]: { N }; test u [main = A]: { A };"));
  EXPECT_TRUE(modules_as_marked("implementation i [main = N]: { N }; implementation j [main = Nobody]: { A };"));
}

TEST(Tests, OfRefinementAreNotSupported) { EXPECT_TRUE(modules_as_marked("test t [main = A]: { A } refines /*E67*/{ A };")); }

TEST(Tests, AreMadeWithBindingsLinksAndMonitors) {
  const Compiled compiled = compile_text(
      kMachines +
      "test t [main = Top]: assert Sa in union { Top }, (assert Sb in rename I to J in { A -> I, B -> K }), { Top -> K };");
  EXPECT_EQ(compiled.program, nullptr);  // K is bound twice
  const Compiled fixed = compile_text(kMachines + R"(
    test t [main = Top]: assert Sa in union { N }, (assert Sb in (rename I to J in { Top, A -> I, B -> K }));
    implementation impl [main = A]: { A };)");
  ASSERT_NE(fixed.program, nullptr) << fixed.messages;
  ASSERT_EQ(fixed.program->tests.size(), 2U);
  const TestCase& test = fixed.program->tests[0];
  const auto find = [&](std::string_view name) -> const Interface* {
    for (const Interface* one : fixed.program->interfaces) {
      if (one->name.text == name) return one;
    }
    return nullptr;
  };
  EXPECT_EQ(test.main, find("Top"));
  EXPECT_EQ(test.bindings[find("J")->index]->name.text, "A");
  EXPECT_EQ(test.bindings[find("K")->index]->name.text, "B");
  EXPECT_EQ(test.bindings[find("I")->index], nullptr);
  EXPECT_EQ(test.links[find("Top")->index][find("I")->index], find("J"));
  EXPECT_EQ(test.links[find("K")->index][find("K")->index], find("K"));
  EXPECT_EQ(test.links[find("Top")->index][find("K")->index], nullptr);
  ASSERT_EQ(test.monitors.size(), 2U);
  EXPECT_EQ(test.monitors[0].monitor->name.text, "Sb");
  EXPECT_EQ(test.monitors[0].interfaces, (std::vector<const Interface*>{find("Top"), find("J"), find("K")}));
  EXPECT_EQ(test.monitors[1].monitor->name.text, "Sa");
  EXPECT_EQ(test.monitors[1].interfaces.size(), 4U);
  EXPECT_FALSE(test.is_implementation);
  EXPECT_TRUE(fixed.program->tests[1].is_implementation);
  EXPECT_EQ(fixed.program->tests[1].main, find("A"));
}

TEST(Tests, TakeTheInterfaceThatTheMainMachineIsBoundTo) {
  const Compiled compiled = compile_text(kMachines + "test t [main = A]: { A -> I };");
  ASSERT_NE(compiled.program, nullptr) << compiled.messages;
  EXPECT_EQ(compiled.program->tests[0].main->name.text, "I");
}

TEST(DefaultImplementation, IsMadeWithoutTestsIfThereIsMain) {
  const Compiled compiled = compile_text(
      "event e; machine A { start state S { } } machine Main { start state S { entry { new A(); } } } spec P observes e { start "
      "state S { ignore e; } }");
  ASSERT_NE(compiled.program, nullptr) << compiled.messages;
  ASSERT_EQ(compiled.program->tests.size(), 1U);
  const TestCase& test = compiled.program->tests[0];
  EXPECT_EQ(test.name, "DefaultImpl");
  EXPECT_TRUE(test.is_implementation);
  EXPECT_EQ(test.main->name.text, "Main");
  EXPECT_TRUE(test.monitors.empty());
  EXPECT_EQ(test.bindings[0]->name.text, "A");
  EXPECT_EQ(test.links[1][0]->name.text, "A");
}

TEST(DefaultImplementation, IsNotMadeWithATestOrWithoutMain) {
  EXPECT_TRUE(compile_text("machine A { start state S { } }").program->tests.empty());
  EXPECT_TRUE(compile_text("").program->tests.empty());
  EXPECT_TRUE(compile_text("machine Main { start state S { } } implementation other: { Main };").program->tests.size() == 1);
  EXPECT_EQ(compile_text("machine Main { start state S { } } test t [main = Main]: { Main };").program->tests[0].name, "t");
  EXPECT_TRUE(compile_text("event e; spec Main observes e { start state S { ignore e; } }").program->tests.empty());
}

TEST(DefaultImplementation, HasToBeClosed) {
  EXPECT_TRUE(as_marked("interface I() receives; machine /*E61*/Main { start state S { entry { new I(); } } }"));
}

TEST(Scenarios, AreAttachedToEveryTestLast) {
  const Compiled compiled = compile_text(R"(
    event e; machine A { start state S { } } machine B { start state S { } }
    scenario C observes e { start state S { on e goto T; } cold state T { ignore e; } }
    spec D observes e { start state S { ignore e; } }
    test t [main = A]: union (assert C, D in { A }), { B }; test u [main = A]: { A }; implementation v [main = A]: { A };)");
  ASSERT_NE(compiled.program, nullptr) << compiled.messages;
  ASSERT_EQ(compiled.program->tests.size(), 3U);
  const TestCase& first = compiled.program->tests[0];
  ASSERT_EQ(first.monitors.size(), 2U);
  EXPECT_EQ(first.monitors[0].monitor->name.text, "D");
  EXPECT_EQ(first.monitors[0].interfaces.size(), 1U);
  EXPECT_EQ(first.monitors[1].monitor->name.text, "C");
  EXPECT_EQ(first.monitors[1].interfaces.size(), 2U);
  for (const TestCase& test : compiled.program->tests) EXPECT_EQ(test.monitors.back().monitor->name.text, "C");
}

TEST(BrokenDeclarations, AreNotToldAgainByModules) {
  EXPECT_TRUE(as_marked(R"(
    event a; machine A receives /*E07*/typo; sends /*E07*/typo; { start state S { entry { /*E07*/nobody(); } } }
    interface I() receives a; spec P observes a { start state S { ignore a; } }
    test t [main = A]: assert P in { A -> I }; module X = hidei I in { A }; module Y = compose { A }, { A -> I };)"));
}

}  // namespace
}  // namespace tarry::plang
