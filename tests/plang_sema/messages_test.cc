// What messages say, and how many there are.
#include <gtest/gtest.h>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::as_marked;
using testing_support::compile_text;
using testing_support::told;

std::string messages(const std::string& program) { return compile_text(program).messages; }

TEST(Messages, NameTheHandlerAndTheEvent) {
  EXPECT_EQ(messages("event Pong: int;\nmachine M {\n  start state S {\n    on Pong do (x: bool) { }\n  }\n}\n"),
            "test.p:4:8: error: handler of 'Pong' takes 'bool', but 'Pong' carries 'int' [E22]\n"
            "test.p:1:7: note: 'Pong' is declared here\n"
            "test.p:4:17: note: parameter 'x' is declared here\n");
}

TEST(Messages, PointAtTheFirstDeclaration) {
  EXPECT_EQ(messages("event e;\nevent e;\n"),
            "test.p:2:7: error: 'e' is declared already; give one of the two another name [E03]\n"
            "test.p:1:7: note: the first 'e' is declared here\n");
  EXPECT_EQ(messages("machine M {\n start state S { }\n start state T { }\n}\n"),
            "test.p:3:14: error: 'T' is a second start state of 'M'; keep one 'start' [E14]\n"
            "test.p:2:14: note: the first start state 'S' is here\n");
}

TEST(Messages, SuggestTheNearestName) {
  EXPECT_EQ(messages("fun f() { var count: int; cuont = 1; }"),
            "test.p:1:27: error: no variable is named 'cuont'; did you mean 'count'? [E07]\n");
  EXPECT_EQ(messages("event eRequest; fun f(m: machine) { send m, eReqest; }"),
            "test.p:1:45: error: no variable, enum element or event is named 'eReqest'; did you mean 'eRequest'? [E07]\n");
  EXPECT_EQ(messages("type tReq = int; event e: treq;"),
            "test.p:1:27: error: no type is named 'treq'; did you mean 'tReq'? [E07]\n");
  EXPECT_EQ(messages("event e: Foo;"), "test.p:1:10: error: no type is named 'Foo' [E07]\n");
  EXPECT_EQ(messages("fun f() { var t: (first: int); t.frist = 1; }"),
            "test.p:1:34: error: '(first: int)' has no field 'frist'; did you mean 'first'? [E26]\n");
  EXPECT_EQ(messages("machine Server { start state S { } } test t [main = Sever]: { Server };"),
            "test.p:1:53: error: main machine 'Sever' does not exist; did you mean 'Server'? [E62]\n");
}

TEST(Messages, SayWhatElseANameIs) {
  EXPECT_EQ(messages("event e; fun f() { e = null; }"),
            "test.p:1:20: error: 'e' is an event, not a variable [E07]\n"
            "test.p:1:7: note: 'e' is declared here\n");
  EXPECT_EQ(messages("spec P observes halt { start state S { ignore halt; } } fun f() { new P(); }"),
            "test.p:1:71: error: 'P' is a spec, not an interface or machine [E07]\n"
            "test.p:1:6: note: 'P' is declared here\n");
}

TEST(Messages, SayHowToConvert) {
  EXPECT_EQ(messages("fun f() { var x: float; x = 1; }"),
            "test.p:1:29: error: expected 'float' for 'x', found 'int'; convert it with 'to float' [E22]\n"
            "test.p:1:15: note: 'x' is declared here\n");
  EXPECT_EQ(messages("machine M { start state S { } } fun f(m: machine) { g(m); } fun g(x: M) { }"),
            "test.p:1:55: error: expected 'M' for parameter 'x' of 'g', found 'machine'; convert it with 'as M' [E22]\n"
            "test.p:1:67: note: 'x' is declared here\n");
  EXPECT_EQ(messages("fun f(a: any): int { return a; }"),
            "test.p:1:29: error: expected 'int' for the result of 'f', found 'any'; convert it with 'as int' [E22]\n"
            "test.p:1:5: note: 'f' is declared here\n");
  EXPECT_EQ(messages("fun f() { var s: seq[int]; s += (1); }"),
            "test.p:1:28: error: expected a set to add to, but 's' is 'seq[int]'; insert with '+= (position, element)' [E22]\n");
  EXPECT_EQ(messages("fun f() { assert 1 + 1.0 == 2; }"),
            "test.p:1:20: error: '+' takes two ints, two floats or two strings, found 'int' and 'float'; convert one with "
            "'to float' or 'to int' [E24]\n");
  EXPECT_EQ(messages("machine M { start state S { } } fun f(m: M) { assert m != null; }"),
            "test.p:1:56: error: '!=' cannot compare 'M' with 'null' (no value); only 'machine' can be null [E23]\n");
}

TEST(Messages, PointAtTheCauseOfAnEffect) {
  EXPECT_EQ(messages("event e;\nfun deep() { deeper(); }\nfun deeper() {\n  announce e;\n}\nspec P observes e { start state S { "
                     "ignore e; entry { deep(); } } }\n"),
            "test.p:6:55: error: 'deep' can announce, so the monitor 'P' cannot call it: monitors only watch [E36]\n"
            "test.p:4:3: note: here it can announce\n");
}

TEST(Messages, TellWhatIsNotBound) {
  EXPECT_EQ(
      messages(
          "machine A { start state S { } }\nmachine B { start state S { entry { new A(); } } }\ntest t [main = B]: { B };\n"),
      "test.p:3:6: error: test 't' is not closed: its machines create 'A', but no machine of it is bound to that [E61]\n"
      "test.p:1:9: note: 'A' is declared here, and 'B' creates it\n");
}

TEST(Messages, AreNotQuotedAtTheirFullLength) {
  std::string type = "int";
  for (int i = 0; i < 200; ++i) type = "map[string, " + type + "]";
  EXPECT_LT(messages("fun f() { var x: int; var y: " + type + "; x = y; }").size(), 4000U);
  std::string fields = "(f0: int";
  for (int i = 1; i < 500; ++i) fields += ", f" + std::to_string(i) + ": int";
  EXPECT_LT(messages("fun f() { var x: int; var y: " + fields + "); x = y; }").size(), 700U);
}

// ---- All mistakes in one run, each once.

TEST(Counts, AllPhasesAreToldTogether) {
  EXPECT_TRUE(as_marked(R"(
    event a: int; event /*E03*/a: bool;
    type /*E08*/T = seq[T]; type U = /*E07*/Missing;
    enum E { X = 1, /*E03*/Y = 1 }
    machine M { start state S { entry { x = /*E22*/true; /*E07*/y = 1; } on /*E22*/a do (b: bool) { } } start state /*E14*/T0 {
      exit { /*E39*/goto S; } } var x: int; }
    machine /*E15*/N { fun f(): int { /*E40*/} fun g() { /*E41*/break; } }
    spec P observes a { start state S { ignore a; entry { /*E35*/send null, a, 1; } } }
    module Q = { M, /*E43*/M }; test t [main = /*E62*/Nobody]: { M };)"));
}

TEST(Counts, APoisonedDeclarationIsToldOnce) {
  EXPECT_TRUE(as_marked(R"(
    event a: /*E07*/Missing; fun h(x: /*E07*/Missing2): /*E07*/Missing3 { return x; }
    machine M { var v: /*E07*/Missing4; start state S { entry { send this, a, 1; send this, a; v = h(1); v = 2; v = "s";
      receive { case a: (x: int) { } } } on a do (x: bool) { } } }
    machine N { start state S { entry (p: /*E07*/Missing5) { } } } machine O { start state S { entry { new N(); new N(1, 2); } } }
    test t [main = N]: { N };)"));
}

TEST(Counts, AreBounded) {
  std::string program = "fun f() {\n";
  for (int i = 0; i < 5000; ++i) program += "nobody" + std::to_string(i) + " = 1;\n";
  const Compiled compiled = compile_text(program + "}");
  EXPECT_EQ(compiled.problems.size(), Diagnostics::kMost);
}

TEST(Strict, StopsAtTheFirstError) {
  Sources sources;
  sources.add("test.p", "event a: X; event b: Y; fun f() { z = 1; }");
  const Compiled compiled = compile(std::move(sources), Diagnostics::Mode::kFirstOnly);
  EXPECT_EQ(compiled.problems.size(), 1U);
  EXPECT_EQ(compiled.program, nullptr);
}

TEST(SyntaxErrors, AreNotFollowedByOthers) { EXPECT_EQ(told(compile_text("event a: X; event")).size(), 1U); }

TEST(SyntaxErrors, AreToldByCompileToo) {
  EXPECT_TRUE(as_marked("fun f() { var x: int; x = /*E10*/2147483648; }"));
  EXPECT_TRUE(as_marked("fun f() { var x: int; x = 2147483647; }"));
  EXPECT_TRUE(as_marked("fun f() { x = /*E01*/; }"));
  EXPECT_TRUE(as_marked("event /*E02*/invariant;"));
}

TEST(Files, AreOneProgram) {
  Sources sources;
  sources.add("one.p", "machine Main { start state S { entry { send this, e, x; } } }");
  sources.add("two.p", "event e: int;\nenum E { x }");
  const Compiled compiled = compile(std::move(sources));
  EXPECT_EQ(compiled.messages,
            "one.p:1:54: error: 'e' carries 'int', but 'E' is given; convert it with 'to int' [E22]\ntwo.p:1:7: note: 'e' is "
            "declared here\n");
}

}  // namespace
}  // namespace tarry::plang
