#include <gtest/gtest.h>

#include "tests/plang_syntax/tree_text.h"

namespace tarry::plang::testing {
namespace {

TEST(Expressions, BindAsTheTableOfPrecedenceSays) {
  EXPECT_EQ(expression("a + b to float"), "(to (+ a b) float)");
  EXPECT_EQ(expression("x < e to int"), "(< x (to e int))");
  EXPECT_EQ(expression("v as int + 1"), "(+ (as v int) 1)");
  EXPECT_EQ(expression("!k in m"), "(in (! k) m)");
  EXPECT_EQ(expression("k in m == false"), "(== (in k m) false)");
  EXPECT_EQ(expression("-x.0"), "(neg (. x 0))");
  EXPECT_EQ(expression("-x to int"), "(to (neg x) int)");
  EXPECT_EQ(expression("a || b && c == d < e + f * -g.h[i]"), "(|| a (&& b (== c (< d (+ e (* f (neg ([] (. g h) i))))))))");
  EXPECT_EQ(expression("-g.h[i] * f + e < d == c && b || a"), "(|| (&& (== (< (+ (* (neg ([] (. g h) i)) f) e) d) c) b) a)");
}

TEST(Expressions, CastsAreFollowedByWhatAppliesToTheWholeCast) {
  EXPECT_EQ(expression("a * v as int * 2"), "(* (as (* a v) int) 2)");
  EXPECT_EQ(expression("x < v as int + 1"), "(< x (+ (as v int) 1))");
  EXPECT_EQ(expression("x as any as int to float"), "(to (as (as x any) int) float)");
  EXPECT_EQ(expression("a == b as int"), "(== a (as b int))");
  EXPECT_EQ(expression("a as (int, b: int)"), "a.p:1:27: error: expected ')' after the fields of the tuple, found ':' [E01]\n");
  EXPECT_EQ(expression("a as seq[int] in b"), "(in (as a seq[int]) b)");
}

TEST(Expressions, OperatorsOfOneLevelGroupToTheLeft) {
  EXPECT_EQ(expression("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(expression("a / b * c % d"), "(% (* (/ a b) c) d)");
  EXPECT_EQ(expression("a < b > c <= d >= e in f"), "(in (>= (<= (> (< a b) c) d) e) f)");
  EXPECT_EQ(expression("a == b != c"), "(!= (== a b) c)");
  EXPECT_EQ(expression("a && b && c || d || e"), "(|| (|| (&& (&& a b) c) d) e)");
  EXPECT_EQ(expression("a - (b - c)"), "(- a (- b c))");
  EXPECT_EQ(expression("- - !x"), "(neg (neg (! x)))");
  EXPECT_EQ(expression("a - -b"), "(- a (neg b))");
}

TEST(Expressions, FloatsAreMadeOfIntsAndADot) {
  EXPECT_EQ(expression("3.25"), "3.25f");
  EXPECT_EQ(expression("3 . 25"), "3.25f");
  EXPECT_EQ(expression("3/**/.\n25"), "3.25f");
  EXPECT_EQ(expression(".5"), "0.5f");
  EXPECT_EQ(expression("007.50"), "7.5f");
  EXPECT_EQ(expression("-.5 + 1"), "(+ (neg 0.5f) 1)");
  EXPECT_EQ(expression("t.0.1"), "(. (. t 0) 1)");
  EXPECT_EQ(expression("1.2.3"), "(. 1.2f 3)");
  EXPECT_EQ(expression("f().x.0"), "(. (. (call f) x) 0)");
  EXPECT_EQ(expression("(1, 2).0"), "(. (tuple 1 2) 0)");
  EXPECT_EQ(expression("1.x"), "(. 1 x)");
  EXPECT_EQ(expression("99999999999.5"), "99999999999.5f");
}

TEST(Expressions, TuplesOfOneFieldEndInACommaAndOthersDoNot) {
  EXPECT_EQ(expression("(7)"), "7");
  EXPECT_EQ(expression("((7))"), "7");
  EXPECT_EQ(expression("(7,)"), "(tuple 7)");
  EXPECT_EQ(expression("(7, 8)"), "(tuple 7 8)");
  EXPECT_EQ(expression("((1, 2), (3,))"), "(tuple (tuple 1 2) (tuple 3))");
  EXPECT_EQ(expression("(id = 7,)"), "(named id = 7)");
  EXPECT_EQ(expression("(a = 1, b = 2, c = (3,))"), "(named a, b, c = 1 2 (tuple 3))");
  EXPECT_EQ(expression("(7, 8,)"), "a.p:1:21: error: expected an expression, found ')'; a list does not end in ',' [E01]\n");
  EXPECT_EQ(expression("(a = 7, b = 8,)"),
            "a.p:1:29: error: expected the name of a field, found ')'; a list does not end in ',' [E01]\n");
  EXPECT_EQ(expression("(a = 7)"),
            "a.p:1:21: error: expected ',' after the field, found ')'; a tuple of one field is written (x = 1,), and to compare, "
            "write '==' [E01]\n");
  EXPECT_EQ(expression("(a = 7, 8)"), "a.p:1:23: error: expected the name of a field, found '8' [E01]\n");
  EXPECT_EQ(expression("(7, a = 8)"), "a.p:1:21: error: expected ')' after the tuple, found '='; to compare, write '==' [E01]\n");
  EXPECT_EQ(expression("()"), "a.p:1:16: error: expected an expression, found ')' [E01]\n");
}

TEST(Expressions, HaveAllThePrimaries) {
  EXPECT_EQ(expression("(null, $, $$, halt, this, true, false, choose())"), "(tuple null $ $ halt this true false $)");
  EXPECT_EQ(expression("choose(3) + choose(keys(m))"), "(+ (choose 3) (choose (keys m)))");
  EXPECT_EQ(expression("sizeof(values(m))"), "(sizeof (values m))");
  EXPECT_EQ(expression("default(map[int, (a: bool)])"), "(default map[int, (a: bool)])");
  EXPECT_EQ(expression("new M()"), "(new M)");
  EXPECT_EQ(expression("new M(1, (2,))"), "(new M 1 (tuple 2))");
  EXPECT_EQ(expression("f() + g(1) + h(1, 2)"), "(+ (+ (call f) (call g 1)) (call h 1 2))");
  EXPECT_EQ(expression("format(\"{0} {{}}\", a)"), "(format \"{0} {{}}\" a)");
  EXPECT_EQ(expression("format(\"x\")"), "(format \"x\")");
  EXPECT_EQ(expression("\"a\" + \"\""), "(+ \"a\" \"\")");
  EXPECT_EQ(expression("2147483647"), "2147483647");
}

TEST(Expressions, KnowWhereTheyAre) {
  const Parsed program = parsed("fun f() { x = (a + b).c[1] as int; }");
  ASSERT_TRUE(program.ok()) << program.messages;
  const Expr& cast = *program.tree.functions[0]->body[0]->exprs[1];
  EXPECT_EQ(cast.place.offset, 27u);
  EXPECT_EQ(cast.start.offset, 14u);
  const Expr& index = *cast.args[0];
  EXPECT_EQ(index.place.offset, 23u);
  EXPECT_EQ(index.start.offset, 14u);
  const Expr& field = *index.args[0];
  EXPECT_EQ(field.place.offset, 21u);
  EXPECT_EQ(field.name.place.offset, 22u);
  const Expr& sum = *field.args[0];
  EXPECT_EQ(sum.place.offset, 17u);
  EXPECT_EQ(sum.start.offset, 15u);
  EXPECT_EQ(cast.height, 5u);
}

TEST(Expressions, AreRefusedWhereTheGrammarHasNone) {
  EXPECT_EQ(expression("a +"), "a.p:1:18: error: expected an expression, found ';' [E01]\n");
  EXPECT_EQ(expression("f(1,)"), "a.p:1:19: error: expected an expression, found ')'; a list does not end in ',' [E01]\n");
  EXPECT_EQ(expression("f(x)(y)"), "a.p:1:19: error: expected ';' after the statement, found '(' [E01]\n");
  EXPECT_EQ(expression("a ? b : c"), "a.p:1:17: error: unexpected character '?' [E01]\n");
  EXPECT_EQ(expression("a & b"), "a.p:1:17: error: unexpected character '&'; 'and' and 'or' are '&&' and '||' [E01]\n");
  EXPECT_EQ(expression("a++"), "a.p:1:17: error: expected an expression, found '+'; there is no '++'; write 'x = x + 1' [E01]\n");
  EXPECT_EQ(expression("if (a) 1 else 2"),
            "a.p:1:15: error: expected an expression, found 'if'; 'if' is only a statement [E01]\n");
  EXPECT_EQ(expression("[1, 2]"),
            "a.p:1:15: error: expected an expression, found '['; there are no values of seq, set or map to write; start with "
            "'default(…)' and add with '+=' [E01]\n");
  EXPECT_EQ(expression("1e5"), "a.p:1:16: error: expected ';' after the statement, found 'e5' [E01]\n");
  EXPECT_EQ(expression("a.if"),
            "a.p:1:17: error: expected the name or number of a field, found 'if'; that is a reserved word [E01]\n");
  EXPECT_EQ(expression("format(x)"),
            "a.p:1:22: error: expected a string in quotes, the first argument of 'format', found 'x' [E01]\n");
  EXPECT_EQ(expression("keys()"), "a.p:1:20: error: expected an expression, found ')' [E01]\n");
  EXPECT_EQ(expression("new M"), "a.p:1:20: error: expected '(' after the name of the machine, found ';' [E01]\n");
  EXPECT_EQ(expression("float(2, 3)"),
            "a.p:1:15: error: 'float(base, exponent)' is not supported; write the number itself, as in 2.5 [E02]\n");
}

TEST(Expressions, NumbersThatAreTooLargeDoNotStopTheParser) {
  EXPECT_EQ(problems_of("fun f() { x = 2147483648; y = t.4294967296; z = 99999999999999999999999999; u = 1 + ; }"),
            "1:15: error: the number is too large: expected at most 2147483647 [E10]\n"
            "1:33: error: the number of the field is too large: expected at most 2147483647 [E10]\n"
            "1:49: error: the number is too large: expected at most 2147483647 [E10]\n"
            "1:85: error: expected an expression, found ';' [E01]\n");
  EXPECT_EQ(problems_of("fun f() { x = 1" + std::string(400, '0') + ".0; }"),
            "1:15: error: the number is too large for a float [E10]\n");
  EXPECT_EQ(expression("0." + std::string(400, '0') + "1"), "0f");
}

}  // namespace
}  // namespace tarry::plang::testing
