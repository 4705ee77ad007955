// Section 3.2: which declarations clash, and what a name means.
#include <gtest/gtest.h>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::as_marked;
using testing_support::compile_text;
using testing_support::told;

/// Declarations that need nothing else; X is the name, /**/ stands before it.
struct Kind {
  const char* what;
  const char* text;
};
constexpr Kind kTypedef{"typedef", "type /**/X = int;"};
constexpr Kind kForeign{"foreign type", "type /**/X;"};
constexpr Kind kEnum{"enum", "enum /**/X { unlike_anything }"};
constexpr Kind kElement{"enum element", "enum EnumOfX { /**/X }"};
constexpr Kind kInterface{"interface", "interface /**/X() receives;"};
constexpr Kind kMachine{"machine", "machine /**/X { start state S { } }"};
constexpr Kind kSpec{"spec", "spec /**/X observes halt { start state S { ignore halt; } }"};
constexpr Kind kScenario{"scenario", "scenario /**/X observes halt { start state S { ignore halt; } cold state T { } }"};
constexpr Kind kEvent{"event", "event /**/X;"};
constexpr Kind kEventSet{"event set", "eventset /**/X = { halt };"};
constexpr Kind kFunction{"function", "fun /**/X() { }"};
constexpr Kind kParam{"global param", "param /**/X: int;"};
constexpr Kind kModule{"module", "module /**/X = { Bound };"};
constexpr Kind kTest{"test", "test /**/X [main = Bound]: { Bound };"};
constexpr Kind kImplementation{"implementation", "implementation /**/X: { Bound };"};

const std::vector<Kind> kAll = {kTypedef, kForeign,  kEnum,     kElement, kInterface, kMachine, kSpec,          kScenario,
                                kEvent,   kEventSet, kFunction, kParam,   kModule,    kTest,    kImplementation};

std::string marked(const Kind& kind, const char* mark) {
  std::string text = kind.text;
  return text.replace(text.find("/**/"), 4, mark);
}

/// The names of those that may not stand before `later`.
void expect_clashes(const Kind& later, const std::vector<Kind>& clashing) {
  for (const Kind& earlier : kAll) {
    bool clashes = false;
    for (const Kind& one : clashing) clashes = clashes || one.what == std::string_view(earlier.what);
    std::string second = marked(later, clashes ? "/*E03*/" : "");
    // Two of them at once need two enums for their elements.
    if (const auto at = second.find("EnumOfX"); at != std::string::npos) second.replace(at, 7, "Other");
    if (const auto at = second.find("unlike_anything"); at != std::string::npos) second.replace(at, 15, "unlike_other");
    EXPECT_TRUE(as_marked("machine Bound { start state S { } }\n" + marked(earlier, "") + "\n" + second))
        << earlier.what << ", then " << later.what;
  }
}

TEST(Clashes, OfTypesAndEnums) {
  const std::vector<Kind> with = {kTypedef, kForeign, kEnum, kInterface, kMachine, kSpec, kScenario};
  expect_clashes(kTypedef, with);
  expect_clashes(kForeign, with);
  expect_clashes(kEnum, with);
}

TEST(Clashes, OfInterfacesAndMachines) {
  const std::vector<Kind> with = {kTypedef, kForeign, kEnum, kInterface, kMachine, kSpec, kScenario};
  expect_clashes(kInterface, with);
  expect_clashes(kMachine, with);
  expect_clashes(kSpec, with);
  expect_clashes(kScenario, with);
}

TEST(Clashes, OfEventsAndEnumElements) {
  expect_clashes(kEvent, {kEvent, kElement});
  expect_clashes(kElement, {kEvent, kElement});
}

TEST(Clashes, OfEventSetsDependOnTheOrder) { expect_clashes(kEventSet, {kEventSet, kInterface, kMachine}); }

TEST(Clashes, OfFunctionsParamsAndModules) {
  expect_clashes(kFunction, {kFunction});
  expect_clashes(kParam, {kParam});
  expect_clashes(kModule, {kModule});
}

TEST(Clashes, OfTestsAndImplementations) {
  expect_clashes(kTest, {kTest, kImplementation});
  expect_clashes(kImplementation, {kTest, kImplementation});
}

TEST(Clashes, InMachines) {
  EXPECT_TRUE(as_marked("machine M { var x: int; var /*E03*/x: bool; start state S { } }"));
  EXPECT_TRUE(as_marked("machine M { start state S { } state /*E03*/S { } }"));
  EXPECT_TRUE(as_marked("machine M { fun f() { } fun /*E03*/f() { } start state S { } }"));
  EXPECT_TRUE(as_marked("machine M { start state S { } fun /*E03*/S() { } }"));
  EXPECT_TRUE(as_marked("machine M { fun S() { } start state S { } }"));
  EXPECT_TRUE(as_marked("machine M { var x: int; fun x() { } state y { } var y: int; start state x { entry { x(); x = 1; } } }"));
}

TEST(Clashes, InFunctions) {
  EXPECT_TRUE(as_marked("fun f(x: int, /*E03*/x: bool) { }"));
  EXPECT_TRUE(as_marked("fun f(x: int) { var /*E03*/x: bool; x = 1; }"));
  EXPECT_TRUE(as_marked("fun f(x: int, /*E03*/x: bool);"));
  EXPECT_TRUE(as_marked("event e: int; machine M { start state S { on e do (x: int) { var y, /*E03*/x, /*E03*/y: int; } } }"));
  EXPECT_TRUE(
      as_marked("event e: int; machine M { start state S { entry { receive { case e: (x: int) { var /*E03*/x: int; } } } } }"));
}

TEST(Clashes, WithGlobalParamsAreNeverAllowed) {
  EXPECT_TRUE(as_marked("machine M { var /*E04*/n: int; start state S { } } param n: int;"));
  EXPECT_TRUE(as_marked("fun f(/*E03*/n: int) { } fun g() { var /*E03*/n: int; } param n: int;"));
  EXPECT_TRUE(as_marked("param n: int; event e; fun f() { receive { case e: { var /*E03*/n: int; } } }"));
  EXPECT_TRUE(as_marked("param n: int; machine n { fun n() { } start state n { } } event n; module n = { n };"));
}

TEST(Clashes, OfEnumNumbersAreToldToo) {
  EXPECT_TRUE(as_marked("enum E { A = 1, B = 2, /*E03*/C = 1 }"));
  EXPECT_TRUE(as_marked("enum E { A = 7, B = 5, C = 6 } enum F { D = 7 }"));
}

// ---- Shadowing and order.

TEST(Scopes, InnerNamesHideOuterOnes) {
  EXPECT_TRUE(as_marked(R"(
    event x; event y: bool; enum E { z }
    machine M { var x: int; start state S { entry { var y: string; var z: bool; x = 1; y = "s"; z = true;
      receive { case x: { var y: int; y = 1; z = false; receive { case halt: { var y: bool; y = true; } } y = 2; } }
      y = "t"; } } })"));
}

TEST(Scopes, OfReceiveCasesEnd) {
  EXPECT_TRUE(as_marked(R"(
    event a; fun f() { receive { case a: { var inner: int; inner = 1; } } /*E07*/inner = 2; })"));
}

TEST(Scopes, BlocksOpenNone) { EXPECT_TRUE(as_marked("fun f() { var x: int; { x = 1; { x = 2; } } x = 3; }")); }

TEST(Scopes, NamesMayBeUsedBeforeTheyAreDeclared) {
  EXPECT_TRUE(
      as_marked("machine M { start state S { entry f; on e goto T; } fun f() { x = g(); } var x: E; state T { } } fun g(): E { "
                "return A; } enum E { A } event e;"));
}

TEST(Scopes, FunctionsAndElementsAreToldApartByTheCall) {
  EXPECT_TRUE(as_marked("enum E { A, B } fun A(): int { return 1; } fun f() { assert A() == 1 && A == A; }"));
}

TEST(Scopes, MethodsHideGlobalFunctions) {
  EXPECT_TRUE(as_marked(
      "fun f(): int { return 1; } machine M { fun f(): bool { return true; } start state S { entry { assert f(); } } }"));
}

TEST(Names, NotFoundAreE07) {
  EXPECT_TRUE(as_marked(R"(
    eventset S = { /*E07*/a }; interface I() receives /*E07*/b;
    machine M receives /*E07*/c; sends /*E07*/d; { start state S { on /*E07*/e1 do /*E07*/f; on halt goto /*E07*/T;
      defer /*E07*/g; entry /*E07*/h; exit /*E07*/i;
    } fun k() { var v: /*E07*/J; v = new /*E07*/Z(/*E07*/q); /*E07*/l(/*E07*/m); goto /*E07*/U; foreach (/*E07*/n in v) { }
      send this, /*E07*/o; receive { case /*E07*/p: { } } } }
    spec P observes /*E07*/r { start state S { } }
    fun global() { goto /*E07*/S; }
    fun foreign_one() creates /*E07*/Nobody;)"));
}

TEST(Names, OfMonitorsAreNoValuesAndNotCreated) {
  EXPECT_TRUE(
      as_marked("spec P observes halt { start state S { ignore halt; } } fun f() { var a: any; a = /*E07*/P; new /*E07*/P(); }"));
}

TEST(Names, OfOtherKindsAreNotAssignedTo) {
  EXPECT_TRUE(
      as_marked("event e; enum E { A } fun f() { /*E07*/e = halt; /*E07*/A = A; /*E07*/f = 1; /*E07*/nothing.x[1] = 2; }"));
}

TEST(Included, TestsAreDropped) {
  Sources sources;
  sources.add("lib.p", "machine Main { start state S { } } test t [main = Nobody]: { Nowhere };", true);
  sources.add("own.p", "test t [main = Main]: { Main };");
  const Compiled compiled = compile(std::move(sources));
  ASSERT_NE(compiled.program, nullptr) << compiled.messages;
  ASSERT_EQ(compiled.program->tests.size(), 1U);
  EXPECT_EQ(compiled.program->tests[0].name, "t");
}

}  // namespace
}  // namespace tarry::plang
