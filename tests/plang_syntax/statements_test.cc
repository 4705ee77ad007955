#include <gtest/gtest.h>

#include "tests/plang_syntax/tree_text.h"

namespace tarry::plang::testing {
namespace {

TEST(Statements, HaveAllTheForms) {
  EXPECT_EQ(statements("{ x = 1; { } }"), "[block [assign x 1] [block]]");
  EXPECT_EQ(statements("assert a; assert a, \"b\" + c;"), "[assert a] [assert a (+ \"b\" c)]");
  EXPECT_EQ(statements("print a; return; return (1, 2); break; continue; ;"),
            "[print a] [return] [return (tuple 1 2)] [break] [continue] [empty]");
  EXPECT_EQ(statements("x = 1; x.a.0[i + 1].b = 2;"), "[assign x 1] [assign (. ([] (. (. x a) 0) (+ i 1)) b) 2]");
  EXPECT_EQ(statements("while (a) x = 1; while (b) { }"), "[while a [assign x 1]] [while b [block]]");
  EXPECT_EQ(statements("foreach (i in keys(m)) { } foreach (i in s) ;"), "[foreach i (keys m) [block]] [foreach i s [empty]]");
  EXPECT_EQ(statements("new M(); new M(1, 2); f(); f(1, x);"),
            "[new (new M)] [new (new M 1 2)] [call (call f)] [call (call f 1 x)]");
  EXPECT_EQ(statements("raise e; raise e, 1, 2; announce e; announce e, 1;"),
            "[raise e] [raise e 1 2] [announce e] [announce e 1]");
  EXPECT_EQ(statements("send m, e; send this, v, 1, (2,); send new M(this), go;"),
            "[send m e] [send this v 1 (tuple 2)] [send (new M this) go]");
  EXPECT_EQ(statements("goto S; goto S, 1, 2;"), "[goto S] [goto S 1 2]");
}

TEST(Statements, ReceiveHasCasesWithBodiesOfTheirOwn) {
  EXPECT_EQ(statements("receive { case a, halt, null: { } case b: (x: int) { var y, z: bool; y = x; } } ;"),
            "[receive case a, halt, null {} case b (x: int) var y: bool, z: bool {[assign y x]}] [empty]");
  EXPECT_EQ(statements("receive { }"), "a.p:1:21: error: expected 'case', found '}' [E01]\n");
  EXPECT_EQ(statements("receive { case a { } }"),
            "a.p:1:28: error: expected ':' after the events of the case, found '{' [E01]\n");
  EXPECT_EQ(statements("receive { case a: { }; }"),
            "a.p:1:32: error: expected 'case' or '}', found ';'; no ';' is written after a body [E01]\n");
  EXPECT_EQ(statements("receive { case a: (x: int, y: int) { } }"),
            "a.p:1:36: error: expected ')' after the parameter, found ','; a handler has at most one parameter [E01]\n");
}

TEST(Statements, ParenthesesOfInsertionBelongToTheStatement) {
  EXPECT_EQ(statements("s += (1); s += (0, 1); s += ((1, 2)); s += (0, (1, 2)); s.a[0] += (k = 1);"),
            "a.p:1:80: error: expected ')' after the value, found '='; to compare, write '==' [E01]\n");
  EXPECT_EQ(statements("s += (1); s += (0, 1); s += ((1, 2)); s += (0, (1, 2)); s.a[0] += ((k = 1,));"),
            "[add s 1] [insert s 0 1] [add s (tuple 1 2)] [insert s 0 (tuple 1 2)] [add ([] (. s a) 0) (named k = 1)]");
  EXPECT_EQ(statements("s -= 0; s -= (0); s -= (1, 2);"), "[remove s 0] [remove s 0] [remove s (tuple 1 2)]");
  EXPECT_EQ(statements("s += 1;"),
            "a.p:1:16: error: expected '(' after '+=', found '1'; '+=' adds to collections only: 's += (value);', 's += (place, "
            "value);'; for numbers write 'x = x + …;' [E01]\n");
  EXPECT_EQ(statements("s += (1, 2, 3);"),
            "a.p:1:21: error: expected ')' after the value, found ','; a tuple needs parentheses of its own: 's += ((1, 2, 3));' "
            "[E01]\n");
  EXPECT_EQ(statements("s += (1) + 2;"), "a.p:1:20: error: expected ';' after the statement, found '+' [E01]\n");
  EXPECT_EQ(statements("s += ();"), "a.p:1:17: error: expected an expression, found ')' [E01]\n");
}

TEST(Statements, AnElseBelongsToTheNearestIf) {
  EXPECT_EQ(statements("if (a) if (b) x = 1; else x = 2;"), "[if a [if b [assign x 1] [assign x 2]]]");
  EXPECT_EQ(statements("if (a) { if (b) x = 1; } else x = 2;"), "[if a [block [if b [assign x 1]]] [assign x 2]]");
  EXPECT_EQ(statements("if (a) ; else if (b) ; else ;"), "[if a [empty] [if b [empty] [empty]]]");
  EXPECT_EQ(statements("if (a) { }; else { }"),
            "a.p:1:23: error: expected a statement or '}', found 'else'; the ';' before it ended the 'if' [E01]\n");
}

TEST(Statements, LocalsStandAtTheStartOfAFunctionBodyOnly) {
  const std::string hint = "found 'var'; local variables must be declared at the start of the function body [E01]\n";
  EXPECT_EQ(statements("var x: int; var y: int; x = 1;"), "[assign x 1]");
  EXPECT_EQ(statements("x = 1; var y: int;"), "a.p:1:18: error: expected a statement or '}', " + hint);
  EXPECT_EQ(statements("if (a) { var y: int; }"), "a.p:1:20: error: expected a statement or '}', " + hint);
  EXPECT_EQ(statements("{ var y: int; }"), "a.p:1:13: error: expected a statement or '}', " + hint);
  EXPECT_EQ(statements("var x: int = 1;"),
            "a.p:1:22: error: expected ';' after the variable, found '='; it gets its value by a statement of its own [E01]\n");
}

TEST(Statements, FrequentMistakesGetAHint) {
  EXPECT_EQ(statements("x = 1 y = 2;"), "a.p:1:17: error: expected ';' after the statement, found 'y' [E01]\n");
  EXPECT_EQ(statements("x++;"),
            "a.p:1:12: error: expected '=', '+=' or '-=', found '+'; there is no '++'; write 'x = x + 1;' [E01]\n");
  EXPECT_EQ(statements("++x;"),
            "a.p:1:11: error: expected a statement or '}', found '+'; there is no '++'; write 'x = x + 1;' [E01]\n");
  EXPECT_EQ(statements("x--;"),
            "a.p:1:12: error: expected '=', '+=' or '-=', found '-'; there is no '--'; write 'x = x - 1;' [E01]\n");
  EXPECT_EQ(statements("if (a = 1) { }"),
            "a.p:1:17: error: expected ')' after the condition, found '='; to compare, write '==' [E01]\n");
  EXPECT_EQ(statements("x == 1;"), "a.p:1:13: error: expected '=', '+=' or '-=', found '=='; to assign, write '=' [E01]\n");
  EXPECT_EQ(
      statements("pop;"),
      "a.p:1:14: error: expected '=', '+=' or '-=', found ';'; P has no 'push' and 'pop' of states any more; use 'goto' [E01]\n");
  EXPECT_EQ(
      statements("push S;"),
      "a.p:1:16: error: expected '=', '+=' or '-=', found 'S'; P has no 'push' and 'pop' of states any more; use 'goto' [E01]\n");
  EXPECT_EQ(statements("halt;"),
            "a.p:1:11: error: expected a statement or '}', found 'halt'; to halt the machine, write 'raise halt;' [E01]\n");
  EXPECT_EQ(statements("f().x = 1;"), "a.p:1:14: error: expected ';' after the statement, found '.' [E01]\n");
  EXPECT_EQ(statements("while a { }"), "a.p:1:17: error: expected '(' after 'while', found 'a' [E01]\n");
  EXPECT_EQ(
      statements("foreach (var i in s) { }"),
      "a.p:1:20: error: expected the name of a variable, found 'var'; it is declared at the start of the function body [E01]\n");
  EXPECT_EQ(statements("send m e;"),
            "a.p:1:18: error: expected ',' between the target of 'send' and the event, found 'e' [E01]\n");
  EXPECT_EQ(statements("goto S"), "a.p:1:18: error: expected ';' after the statement, found '}' [E01]\n");
  EXPECT_EQ(statements("1 = x;"), "a.p:1:11: error: expected a statement or '}', found '1' [E01]\n");
  EXPECT_EQ(statements("x.a(1);"),
            "a.p:1:14: error: expected '=', '+=' or '-=', found '('; only functions can be called, by their name [E01]\n");
  EXPECT_EQ(statements("fun g() { }"),
            "a.p:1:11: error: expected a statement or '}', found 'fun'; functions cannot be declared in functions [E01]\n");
  EXPECT_EQ(statements("assume a;"),
            "a.p:1:11: error: 'assume' is only for the verifier; in a program use 'assert', or 'if' [E02]\n");
  EXPECT_EQ(
      statements("i: int;"),
      "a.p:1:12: error: expected '=', '+=' or '-=', found ':'; a variable is declared with 'var', at the start of the function "
      "body [E01]\n");
}

TEST(Statements, ABraceThatStaysOpenIsPointedAt) {
  EXPECT_EQ(problems_of("fun f() {\n  x = 1;\n"),
            "3:1: error: expected a statement or '}', found the end of the file [E01]\n1:9: note: the '{' that is still open\n");
  EXPECT_EQ(problems_of("machine M {\n  start state S {\n    entry { }\n"),
            "4:1: error: expected 'entry', 'exit', 'on', 'defer', 'ignore' or '}' in the state, found the end of the file [E01]\n"
            "2:17: note: the '{' that is still open\n");
}

}  // namespace
}  // namespace tarry::plang::testing
