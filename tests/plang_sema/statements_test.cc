// Section 3.6: the table of statements, row by row. Each test has what is refused and, beside it, what is not.
#include <gtest/gtest.h>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::as_marked;
using testing_support::body_as_marked;
using testing_support::global_as_marked;
using testing_support::member_as_marked;

TEST(Assert, TakesABoolAndAString) {
  EXPECT_TRUE(body_as_marked("assert true; assert 1 < 2, \"text\"; assert $, format(\"{0}\", 1);"));
  EXPECT_TRUE(body_as_marked("assert /*E22*/1; assert true, /*E22*/2; assert /*E22*/null, /*E22*/null; assert /*E22*/g();"));
  EXPECT_TRUE(body_as_marked("var a: any; assert /*E22*/a; assert a as bool;"));
}

TEST(Print, TakesAString) {
  EXPECT_TRUE(body_as_marked("var s: string; print \"a\" + s; print format(\"{0}\", s);"));
  EXPECT_TRUE(body_as_marked("print /*E22*/1; print /*E22*/e; print /*E22*/null;"));
}

TEST(Return, GivesTheResult) {
  EXPECT_TRUE(
      as_marked("fun f(): int { return 1; } fun g(): any { return 1; } fun h() { return; } fun k(): machine { return null; }"));
  EXPECT_TRUE(
      as_marked("fun f(): int { return /*E22*/true; } fun g(): int { /*E22*/return; } fun h() { return /*E22*/1; } fun k(): int "
                "{ return /*E22*/null; }"));
  EXPECT_TRUE(as_marked("fun f(): any { return; } fun g() { return f2(); } fun f2() { }"));
}

TEST(Return, OfHandlersAndReceiveCasesHasNoValue) {
  EXPECT_TRUE(member_as_marked(
      "start state S { entry { return; } exit { return /*E22*/1; } on e do { return /*E22*/true; } on ei do { return null; } }"));
  EXPECT_TRUE(as_marked("event e; fun f(): int { receive { case e: { return /*E22*/1; } } return 1; }"));
  EXPECT_TRUE(as_marked("event e; fun f(): int { receive { case e: { return; } } }"));
}

TEST(Assignment, NeedsAVariableThatTakesTheValue) {
  EXPECT_TRUE(
      body_as_marked("var x: int; var t: (int, (a: bool)); var s: seq[map[int, any]]; x = 1; t.0 = 2; t.1.a = true; s[0][1] = "
                     "halt; s[x] = default(map[int, int]);"));
  EXPECT_TRUE(body_as_marked(
      "var x: int; x = /*E22*/true; x = /*E22*/null; x = /*E22*/1.0; x = /*E22*/Red; /*E07*/y = 1; /*E07*/e = e;"));
  EXPECT_TRUE(
      body_as_marked("var t: (int, (a: bool)); t.0 = /*E22*/true; t.1.a = /*E22*/1; t/*E27*/.2 = 1; t.1./*E26*/b = 1; t/*E22*/.a "
                     "= 1; t.1/*E22*/.0 = 1;"));
}

TEST(Assignment, OfFieldsAndParametersIsAllowed) {
  EXPECT_TRUE(member_as_marked("var x: int; fun h(p: int) { x = p; p = x; } start state S { }"));
}

TEST(Assignment, NeverChangesGlobalParams) {
  EXPECT_TRUE(body_as_marked("/*E06*/gp = 1; assert gp == 0;"));
  EXPECT_TRUE(
      as_marked("param s: seq[int]; param t: set[int]; fun f() { var i: int; /*E06*/s[0] = 1; /*E06*/s += (0, 1); /*E06*/s -= 0; "
                "/*E06*/t += (1); foreach (i in s) { } }"));
  EXPECT_TRUE(as_marked("param n: int; fun f() { var s: seq[int]; foreach (/*E06*/n in s) { } }"));
}

TEST(Insertion, IsForSequencesAndMaps) {
  EXPECT_TRUE(body_as_marked("var s: seq[any]; var m: map[string, bool]; s += (0, 1); m += (\"k\", true);"));
  EXPECT_TRUE(body_as_marked("var s: seq[int]; s += (/*E22*/true, 1); s += (0, /*E22*/true); s += (/*E22*/null, /*E22*/null);"));
  EXPECT_TRUE(body_as_marked("var m: map[string, bool]; m += (/*E22*/1, true); m += (\"k\", /*E22*/1);"));
  EXPECT_TRUE(body_as_marked("var s: set[int]; var x: int; /*E22*/s += (0, 1); /*E22*/x += (0, 1);"));
}

TEST(Addition, IsForSets) {
  EXPECT_TRUE(body_as_marked("var s: set[int]; var t: set[(int, int)]; s += (1); t += ((1, 2));"));
  EXPECT_TRUE(body_as_marked("var s: set[int]; s += (/*E22*/true); s += (/*E22*/null);"));
  EXPECT_TRUE(
      body_as_marked("var s: seq[int]; var m: map[int, int]; var x: int; /*E22*/s += (1); /*E22*/m += (1); /*E22*/x += (1);"));
}

TEST(Removal, IsForAllCollections) {
  EXPECT_TRUE(body_as_marked(
      "var s: seq[string]; var t: set[string]; var m: map[string, int]; s -= 0; t -= \"a\"; t -= (\"a\"); m -= \"k\";"));
  EXPECT_TRUE(body_as_marked(
      "var s: seq[string]; var t: set[string]; var m: map[string, int]; s -= /*E22*/\"a\"; t -= /*E22*/0; m -= /*E22*/0;"));
  EXPECT_TRUE(body_as_marked("var x: int; /*E22*/x -= 1;"));
}

TEST(Lvalues, IndexSequencesAndMapsButNotSets) {
  EXPECT_TRUE(
      body_as_marked("var s: seq[int]; var m: map[bool, int]; var t: set[int]; s[0] = 1; m[true] = 1; assert t[0] == 1;"));
  EXPECT_TRUE(body_as_marked(
      "var s: seq[int]; var m: map[bool, int]; var t: set[int]; s[/*E22*/true] = 1; m[/*E22*/0] = 1; t/*E22*/[0] = 1;"));
  EXPECT_TRUE(body_as_marked("var x: int; x/*E22*/[0] = 1;"));
}

TEST(Conditions, AreBool) {
  EXPECT_TRUE(body_as_marked("while (true) { } if ($) { } else { } if (choose()) ;"));
  EXPECT_TRUE(body_as_marked("while (/*E22*/1) { } if (/*E22*/null) { } else if (/*E22*/e) { }"));
}

TEST(Foreach, GoesThroughSequencesAndSetsWithAVariableOfTheSameType) {
  EXPECT_TRUE(
      body_as_marked("var i: int; var a: any; var s: seq[int]; var t: set[any]; var m: map[int, bool]; foreach (i in s) { } "
                     "foreach (a in t) { } foreach (i in keys(m)) ;"));
  EXPECT_TRUE(
      body_as_marked("var a: any; var b: bool; var s: seq[int]; foreach (/*E22*/a in s) { } foreach (/*E22*/b in s) { } foreach "
                     "(/*E07*/nobody in s) { } foreach (/*E07*/e in s) { }"));
  EXPECT_TRUE(
      body_as_marked("var i: int; var m: map[int, int]; foreach (i in /*E22*/m) { } foreach (i in /*E22*/1) { } foreach (i in "
                     "/*E07*/nobody) { }"));
  EXPECT_TRUE(member_as_marked("var i: int; start state S { entry { var s: seq[N]; foreach (i in s) { } } }"));
}

TEST(New, CreatesInterfacesAndMachinesWithTheirPayload) {
  EXPECT_TRUE(body_as_marked("new M(); new I(1); new P((1, true)); new P(1, true); new M(null);"));
  EXPECT_TRUE(body_as_marked("new /*E07*/W(); new /*E07*/Nobody(); new /*E07*/Es(); new /*E07*/e();"));
  EXPECT_TRUE(
      body_as_marked("new /*E22*/I(); new I(/*E22*/true); new /*E25*/I(1, 2); new M(/*E22*/1); new P(/*E22*/1); new P(1, "
                     "/*E22*/1); new /*E25*/P(1, true, 1);"));
}

TEST(Calls, MatchParametersInNumberAndType) {
  EXPECT_TRUE(body_as_marked("f(1, true); g();"));
  EXPECT_TRUE(body_as_marked(
      "/*E25*/f(1); /*E25*/f(); /*E25*/g(1); f(/*E22*/true, /*E22*/1); /*E07*/nobody(); /*E07*/M(); /*E25*/f(1, true, 2);"));
}

TEST(Raise, NeedsAnEventWithItsPayload) {
  EXPECT_TRUE(
      body_as_marked("var v: event; raise e; raise ei, 1; raise et, 1, true; raise et, (1, true); raise ea, null; raise halt; "
                     "raise v; raise v, 1, 2; raise e, null; raise e1, (1,);"));
  EXPECT_TRUE(
      body_as_marked("raise /*E33*/null; raise /*E22*/1; raise /*E22*/ei; raise ei, /*E22*/true; raise e, /*E22*/1; raise "
                     "/*E25*/ei, 1, 2; raise et, 1, /*E22*/1; raise halt, /*E22*/1;"));
  EXPECT_TRUE(body_as_marked("raise /*E22*/ea; raise /*E22*/et; raise /*E25*/et, 1, true, 2; raise e1, /*E22*/1;"));
}

TEST(Raise, IsNotForFunctionsWithResult) {
  EXPECT_TRUE(as_marked("event e; fun f(): int { /*E37*/raise e; } fun g() { raise e; }"));
  EXPECT_TRUE(as_marked("event e; fun f(): int { receive { case e: { /*E37*/raise e; } } return 1; }"));
}

TEST(Send, NeedsATargetAndAnEvent) {
  EXPECT_TRUE(
      body_as_marked("var m: machine; var r: R; var i: I; var s: Es; send m, e; send r, ei, 1; send i, halt; send s, e; send "
                     "this, e; send null, e; send new M(), e; send m, et, 1, true;"));
  EXPECT_TRUE(
      body_as_marked("var a: any; send /*E22*/1, e; send /*E22*/a, e; send /*E22*/e, e; send this, /*E33*/null; send this, "
                     "/*E22*/1; send this, /*E22*/ei; send this, ei, /*E22*/null; send this, /*E25*/e, 1, 2;"));
}

TEST(Announce, NeedsAnEvent) {
  EXPECT_TRUE(body_as_marked("var v: event; announce e; announce ei, 1; announce v, 3; announce halt;"));
  EXPECT_TRUE(body_as_marked("announce /*E33*/null; announce /*E22*/ei; announce /*E22*/this; announce ei, /*E22*/e;"));
  EXPECT_TRUE(as_marked("event e; fun f(): int { announce e; return 1; }"));
}

TEST(Goto, NeedsAStateAndWhatItsEntryTakes) {
  const std::string states =
      "start state S { } state One { entry (x: int) { } } state Named { entry h; } fun h(x: any) { } state Two { entry { } }";
  EXPECT_TRUE(member_as_marked(states + "fun t() { goto S; goto One, 1; goto Named, this; goto Two; }"));
  EXPECT_TRUE(member_as_marked(states + "fun t() { goto /*E25*/S, 1; goto /*E25*/One; goto One, /*E22*/true; goto /*E25*/One, 1, "
                                        "2; goto /*E07*/Nobody; goto /*E25*/Two, /*E07*/x; goto /*E07*/h; }"));
  EXPECT_TRUE(as_marked("machine M { start state S { } } fun f() { goto /*E07*/S; }"));
  EXPECT_TRUE(member_as_marked(
      "start state S { } fun t(): int { /*E38*/goto S; } fun u(): int { receive { case e: { /*E38*/goto S; } } return 1; }"));
}

TEST(Receive, TakesEachEventOnceWithItsPayload) {
  EXPECT_TRUE(body_as_marked(
      "receive { case e: { } case ei: (x: int) { } case et: (p: T2) { } case ea: (a: any) { } case halt: { } case null: { } }"));
  EXPECT_TRUE(body_as_marked("receive { case e: { } case /*E42*/e: { } case halt, /*E42*/halt: { } }"));
  EXPECT_TRUE(
      body_as_marked("receive { case /*E22*/ei: { } case /*E22*/et: (p: int) { } case /*E22*/e: (x: int) { } case halt: (a: any) "
                     "{ } case /*E22*/ea: (x: int) { } }"));
  EXPECT_TRUE(body_as_marked("receive { case e, /*E22*/ei: { } case et, /*E22*/em: (p: T2) { } }"));
  EXPECT_TRUE(body_as_marked("receive { case e: { } } receive { case e: { receive { case e: { } } } }"));
}

TEST(BreakAndContinue, NeedALoop) {
  EXPECT_TRUE(
      body_as_marked("var i: int; var s: seq[int]; while ($) { if ($) { break; } { continue; } } foreach (i in s) { break; }"));
  EXPECT_TRUE(body_as_marked("/*E41*/break; /*E41*/continue; if ($) { /*E41*/break; } while ($) { } /*E41*/break;"));
}

TEST(BreakAndContinue, InReceiveCases) {
  EXPECT_TRUE(body_as_marked(
      "receive { case e: { break; } } while ($) { receive { case e: { break; } case ei: (x: int) { continue; } } }"));
  EXPECT_TRUE(body_as_marked("receive { case e: { /*E41*/continue; } case halt: { while ($) { continue; } } }"));
}

TEST(SurelyReturning, IsDecidedByTheText) {
  EXPECT_TRUE(as_marked(
      "fun f(): int { /*E40*/} fun g(): int { if ($) { return 1; } /*E40*/} fun h(): int { while (true) { return 1; } /*E40*/}"));
  EXPECT_TRUE(
      as_marked("fun f(): int { if ($) { return 1; } else { return 2; } } fun g(): int { { { return 1; } } } fun h(): int { "
                "return 1; print \"dead\"; }"));
  EXPECT_TRUE(
      as_marked("fun f(): int { assert false; } fun g(): int { assert false, \"never\"; } fun h(): int { assert 1 == 2; /*E40*/} "
                "fun k(): int { assert true; /*E40*/}"));
  EXPECT_TRUE(as_marked("fun f(): int { if ($) { return 1; } else if ($) { return 2; } /*E40*/} fun g(): int; fun h() { }"));
  EXPECT_TRUE(
      as_marked("event a; event b; fun f(): int { receive { case a: { return; } case b: { } } /*E40*/} fun g(): int { receive { "
                "case a: { assert false; } case b: { return; } } }"));
}

TEST(SeveralArguments, BuildTheTuple) {
  EXPECT_TRUE(
      global_as_marked("event en: (a: int, b: int); fun h(m: machine) { send m, /*E25*/en, 1, 2; send m, en, (a = 1, b = 2); "
                       "send m, en, /*E22*/(1, 2); }"));
}

}  // namespace
}  // namespace tarry::plang
