// Sections 3.7 and 3.9: the table of expressions, row by row, strings and format.
#include <gtest/gtest.h>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::as_marked;
using testing_support::body_as_marked;
using testing_support::global_as_marked;

TEST(Fields, OfNamedTuples) {
  EXPECT_TRUE(body_as_marked("var t: (a: int, b: (c: bool)); assert t.a == 1 && t.b.c; assert (x = 1, y = true).y;"));
  EXPECT_TRUE(body_as_marked(
      "var t: (a: int, b: (c: bool)); assert t./*E26*/z == 1; assert t.b./*E26*/a; assert t/*E22*/.0 == 1; assert 1/*E22*/.a;"));
  EXPECT_TRUE(body_as_marked("var m: M; var n: machine; assert m/*E22*/.x == n/*E22*/.x; assert this/*E22*/.y;"));
}

TEST(Items, OfTuples) {
  EXPECT_TRUE(body_as_marked(
      "var t: (int, (bool, int)); assert t.0 == t.1.1 && t.1.0; assert (1, true).1; assert f((1, 2).0, true) == 1;"));
  EXPECT_TRUE(body_as_marked(
      "var t: (int, (bool, int)); assert t/*E27*/.2; assert t.1/*E27*/.7; assert t.0/*E22*/.0; assert t/*E22*/.a;"));
}

TEST(Indexing, OfCollections) {
  EXPECT_TRUE(body_as_marked("var s: seq[bool]; var t: set[bool]; var m: map[string, bool]; assert s[0] && t[1] && m[\"k\"];"));
  EXPECT_TRUE(
      body_as_marked("var s: seq[bool]; var t: set[bool]; var m: map[string, bool]; assert s[/*E22*/true] && t[/*E22*/null] && "
                     "m[/*E22*/1]; assert 1/*E22*/[0];"));
  EXPECT_TRUE(body_as_marked("var m: map[any, bool]; assert m[1] && m[null] && m[e]; assert m[/*E07*/nobody];"));
}

TEST(KeysValuesSizeof, OfCollections) {
  EXPECT_TRUE(
      body_as_marked("var m: map[int, string]; var k: seq[int]; var v: seq[string]; k = keys(m); v = values(m); assert sizeof(m) "
                     "+ sizeof(k) + sizeof(default(set[int])) == 0;"));
  EXPECT_TRUE(
      body_as_marked("var s: seq[int]; s = keys(/*E22*/s); s = values(/*E22*/1); assert sizeof(/*E22*/\"text\") == 0; assert "
                     "sizeof(/*E22*/(1, 2)) == 2;"));
  EXPECT_TRUE(body_as_marked("var m: map[int, string]; var k: seq[string]; k = /*E22*/keys(m);"));
}

TEST(In, LooksForElementsAndKeys) {
  EXPECT_TRUE(body_as_marked(
      "var s: seq[int]; var t: set[any]; var m: map[string, int]; assert 1 in s && e in t && \"k\" in m && !(2 in s);"));
  EXPECT_TRUE(
      body_as_marked("var s: seq[int]; var m: map[string, int]; assert /*E22*/true in s; assert /*E22*/1 in m; assert 1 in "
                     "/*E22*/2; assert /*E22*/null in s;"));
}

TEST(Default, HasTheWrittenType) {
  EXPECT_TRUE(body_as_marked(
      "var x: int; var t: T2; x = default(N); t = default(T2); x = /*E22*/default(bool); x = default(/*E07*/Nobody);"));
}

TEST(New, HasTheTypeOfTheInterface) {
  EXPECT_TRUE(
      body_as_marked("var r: R; var i: I; var m: M; r = new R(); i = new I(1); i = new R(); m = new P(1, true); r = /*E22*/new "
                     "M(); r = new /*E22*/I(); assert new M() /*E23*/!= null;"));
}

TEST(Calls, HaveTheResultType) {
  EXPECT_TRUE(
      body_as_marked("var x: int; var a: any; var ev: event; x = f(f(1, true), false); a = g(); ev = g(); x = /*E22*/g(); x = "
                     "/*E25*/f(); x = /*E07*/nobody() + 1;"));
}

TEST(Signs, TakeNumbersAndBools) {
  EXPECT_TRUE(body_as_marked("assert -1 < 0 && -1.5 < 0.0 && !true && !!$; assert - - 1 == 1;"));
  EXPECT_TRUE(body_as_marked("assert -/*E22*/true; assert !/*E22*/1; assert -/*E22*/Red == 1; assert !/*E22*/null;"));
}

TEST(Arithmetic, TakesTwoOfAKind) {
  EXPECT_TRUE(body_as_marked(
      "assert 1 + 2 * 3 / 4 - 5 % 6 == 1; assert 1.0 + 2.0 * 3.0 / 4.0 - 5.0 % 6.0 == 1.0; assert \"a\" + \"b\" == \"ab\";"));
  EXPECT_TRUE(
      body_as_marked("assert 1 /*E24*/+ 1.0 == 1; assert 1 /*E24*/+ true == 1; assert \"a\" /*E24*/+ 1 == 1; assert Red /*E24*/+ "
                     "1 == 1; assert null /*E24*/+ null == 1;"));
  EXPECT_TRUE(body_as_marked("assert true /*E24*/* true; assert 1.0 /*E24*// 1 == 1.0; assert e /*E24*/- e == 1;"));
}

TEST(Arithmetic, TakesStringsOnlyForPlus) {
  EXPECT_TRUE(
      body_as_marked("var s: string; s = s /*E24*/- s; s = s /*E24*/* s; s = s /*E24*// s; s = s /*E23*/% s; s = s + s;"));
}

TEST(Modulo, IsE23) {
  EXPECT_TRUE(body_as_marked("assert 1 /*E23*/% 1.0 == 1; assert true /*E23*/% false; assert 5 % 3 == 2 && 5.5 % 2.0 == 1.5;"));
}

TEST(Relations, TakeTwoOfAKind) {
  EXPECT_TRUE(body_as_marked("assert 1 < 2 && 1.0 <= 2.0 && \"a\" > \"b\" && 3 >= 2;"));
  EXPECT_TRUE(
      body_as_marked("assert 1 /*E24*/< 1.0; assert true /*E24*/<= false; assert Red /*E24*/> Blue; assert e /*E24*/>= e; assert "
                     "\"a\" /*E24*/< 1;"));
}

TEST(Logic, TakesBools) {
  EXPECT_TRUE(body_as_marked("assert true && $ || false;"));
  EXPECT_TRUE(body_as_marked("assert /*E22*/1 && true; assert true || /*E22*/null; assert /*E22*/1 || /*E22*/e;"));
}

TEST(Equality, NeedsOneSideThatTakesTheOther) {
  EXPECT_TRUE(
      body_as_marked("var a: any; var m: machine; var ev: event; assert a == null && null == ev && m != null && a == 1 && 2 == a "
                     "&& null == null && this == m && ev == e;"));
  EXPECT_TRUE(
      body_as_marked("var x: int; assert x /*E23*/== null; assert Red /*E23*/== Green; assert Red /*E23*/!= 0; assert 1 "
                     "/*E23*/== 1.0; assert \"a\" /*E23*/== e; assert this /*E23*/!= e;"));
  EXPECT_TRUE(
      body_as_marked("var s: seq[int]; var t: seq[any]; var u: seq[bool]; assert s == t && t == s && t != u; assert s /*E23*/== "
                     "u; assert (1, 2) /*E23*/== (a = 1, b = 2);"));
  EXPECT_TRUE(body_as_marked("var r: R; assert r /*E23*/== null; assert r /*E23*/== this; assert r == new R();"));
}

TEST(As, NeedsOneSideThatTakesTheOther) {
  EXPECT_TRUE(
      body_as_marked("var a: any; var m: machine; var r: R; r = m as R; m = r as machine; m = null as machine; a = a as (int, "
                     "any); r = a as R; assert (1 as any) == 1; assert a as N == 1;"));
  EXPECT_TRUE(
      body_as_marked("var x: int; var r: R; x = true /*E23*/as int; x = 1.0 /*E23*/as int; r = this /*E23*/as R; x = Red "
                     "/*E23*/as int; x = 1 as /*E07*/Nobody; x = /*E22*/1 as any; x = null /*E23*/as int;"));
}

TEST(To, ConvertsNumbersAndReferences) {
  EXPECT_TRUE(
      body_as_marked("var x: int; var y: float; var r: R; var m: machine; x = 1.5 to int; y = 1 to float; x = 1 to int; y = 1.0 "
                     "to float; x = Red to int; r = m to R; r = this to R; r = r to Es; x = 2.0 to N;"));
  EXPECT_TRUE(
      body_as_marked("var a: any; a = 1 to /*E30*/bool; a = 1 to /*E30*/C; a = Red to /*E30*/C; a = 1 to /*E30*/any; a = this to "
                     "/*E30*/machine; a = 1 to /*E30*/string; a = 1 to /*E30*/seq[int];"));
  EXPECT_TRUE(body_as_marked("var a: any; var r: R; a = r /*E31*/to M; a = this to I; a = r to I;"));
  EXPECT_TRUE(
      body_as_marked("var a: any; a = true /*E23*/to int; a = \"1\" /*E23*/to int; a = Red /*E23*/to float; a = 1 /*E23*/to R; a "
                     "= a /*E23*/to R; a = null /*E23*/to R; a = a /*E23*/to int;"));
}

TEST(Choose, TakesNumbersAndCollections) {
  EXPECT_TRUE(
      body_as_marked("var x: int; var s: seq[string]; var t: set[bool]; var m: map[string, int]; x = choose(3); x = "
                     "choose(10000); assert choose(s) == choose(m) && choose(t) && choose() && $ && $$; x = choose(0);"));
  EXPECT_TRUE(
      body_as_marked("var x: int; var a: any; x = choose(/*E28*/true); x = choose(/*E28*/\"a\"); x = choose(/*E28*/(1, 2)); x = "
                     "choose(/*E28*/a); x = choose(/*E29*/10001); x = choose((/*E29*/20000)); x = choose(10001 + 0);"));
}

TEST(This, IsTheMachine) {
  EXPECT_TRUE(body_as_marked("var m: M; var n: machine; m = this; n = this; send this, e;"));
  EXPECT_TRUE(as_marked("fun f(): machine { return /*E34*/this; }"));
  EXPECT_TRUE(
      as_marked("event e; machine R receives e; { start state S { entry { var r: R; r = this; h(this); } } } fun h(r: R) { }"));
}

TEST(Literals, HaveTheirTypes) {
  EXPECT_TRUE(
      body_as_marked("var ev: event; var a: any; ev = halt; ev = null; ev = e; a = null; assert 1 == 1 && 1.5 == .5 && true == "
                     "false && \"\" == \"a\"; ev = /*E22*/1;"));
}

TEST(Tuples, HaveTheTypesOfTheirFields) {
  EXPECT_TRUE(
      body_as_marked("var t: T2; var n: (a: int, b: any); var o: (id: int); var p: (int); t = (1, true); n = (a = 1, b = null); "
                     "o = (id = 7,); p = (7,);"));
  EXPECT_TRUE(
      body_as_marked("var t: T2; var n: (a: int, b: any); t = /*E22*/(true, 1); n = /*E22*/(b = 1, a = 1); n = /*E22*/(1, 2); t "
                     "= /*E22*/(1, true, 2); t = /*E22*/(x = 1, y = true);"));
}

TEST(Enums, GoWithThemselvesOnly) {
  EXPECT_TRUE(body_as_marked(
      "var c: C; c = Red; c = default(C); assert c == Blue; assert c to int == 1; c = /*E22*/Green; c = /*E22*/0;"));
}

// ---- Strings.

TEST(Strings, HaveBracesThatAreDoubledOrNumbers) {
  EXPECT_TRUE(body_as_marked(
      R"(print "{{0}} {{ }}"; print "{{"; print format("{0}}}{{{1}", 1, e); print format("{{{0}}}", null);
      print format("none");)"));
  EXPECT_TRUE(body_as_marked(
      R"(print /*E32*/"{"; print /*E32*/"}"; print /*E32*/"{}"; print /*E32*/"{a}"; print /*E32*/"{0"; print /*E32*/"{0,5}";
      print /*E32*/format("{ 0}", 1); print /*E32*/"{-1}"; print /*E32*/"}{";)"));
}

TEST(Strings, NeedAsManyArgumentsAsTheLargestNumberSays) {
  EXPECT_TRUE(body_as_marked(R"(print format("{0} {2}", 1, 2, 3); print format("{1}{1}", this, 2.5); print format("{00}", 1);)"));
  EXPECT_TRUE(body_as_marked(
      R"(print /*E25*/"{0}"; print /*E25*/format("{0}"); print /*E25*/format("{0}", 1, 2); print /*E25*/format("x", 1);
      print /*E25*/format("{2}", 1, 2); print /*E25*/"{99999999999999999999999}";)"));
}

TEST(Strings, AreCheckedWithTheirArguments) {
  EXPECT_TRUE(
      body_as_marked(R"(print /*E25*/format("{0}", /*E07*/nobody, 1 /*E24*/+ true); assert true, format("{0}", f(1, true));)"));
}

// ---- Poison.

TEST(Poison, AnUnknownNameIsToldOnce) {
  EXPECT_TRUE(
      body_as_marked("var x: int; x = (/*E07*/nobody + 1) * 2; assert /*E07*/nobody.field[3].0 == 7; x = -/*E07*/nobody; x = "
                     "choose(/*E07*/nobody) % 3; assert !(/*E07*/nobody in x /*E24*/+ true);"));
  EXPECT_TRUE(
      body_as_marked("var x: /*E07*/Nobody; x = 1; x = true; assert x < 3 && x; x[0] = 1; x.a.b = 2; x += (1, 2); x -= 3; "
                     "foreach (x in x) { } send x, x, x; raise x; print x; return x;"));
}

TEST(Poison, MistakesBesideItAreStillTold) {
  EXPECT_TRUE(
      body_as_marked("var x: int; x = /*E07*/nobody + (1 /*E24*/+ true); assert (/*E07*/nobody /*E24*/+ true) == 1; x = "
                     "f(/*E07*/nobody, /*E22*/1);"));
}

TEST(Payloads, OfUnknownEventsAreStillChecked) {
  EXPECT_TRUE(
      global_as_marked("fun h(m: machine) { send m, /*E07*/nobody, 1 /*E24*/+ true; raise /*E33*/null, /*E07*/nothing; new "
                       "/*E07*/Nobody(/*E07*/nothing); }"));
}

}  // namespace
}  // namespace tarry::plang
