// When are two states of a P program the same? Exact numbers of states and transitions, worked out by hand beside each program.
//
// The step from which a number follows: with Points::kNeeded a step goes on to the next send, state with "on null", block or end of the handler,
// and a step that only computes or creates machines ("local") is the only one that is explored where it can be taken.
#include <gtest/gtest.h>

#include "tests/support/p_everything.h"

namespace tarry::test {
namespace {

using plang::Points;

struct Counts {
  std::size_t states;
  std::uint64_t transitions;
  std::string bugs = "";  // kinds of all that can happen

  bool operator==(const Counts&) const = default;
  friend void PrintTo(const Counts& c, std::ostream* out) { *out << c.states << " states, " << c.transitions << " transitions, bugs: " << c.bugs; }
};

/// Everything there is; where there is no bug, dfs must count the same.
Counts counts(const std::string& text, Points points = Points::kNeeded) {
  const Searchable p(text, points);
  const Everything all = every_state(*p.program, 100'000);
  EXPECT_TRUE(all.complete);
  Counts out{all.states.size(), all.transitions};
  for (const auto& [kind, steps] : all.failures) out.bugs += (out.bugs.empty() ? "" : " ") + kind;
  SearchOptions options;
  options.limits.memory = 256 << 20;
  const Searched searched = run_search(*p.program, "dfs", "round-robin", options);
  if (out.bugs.empty()) {
    EXPECT_EQ(searched.totals.states, out.states);
    EXPECT_EQ(searched.totals.transitions, out.transitions);
    EXPECT_TRUE(searched.outcome.complete);
  } else {
    EXPECT_EQ(searched.findings.size(), 1u);
    for (const Finding& finding : searched.findings) EXPECT_EQ(p.replayed(finding), "");
  }
  return out;
}

std::string main_with(const std::string& entry, const std::string& rest = "", const std::string& fields = "") {
  return "machine Main { " + fields + " start state S { entry { " + entry + " } } " + rest + " }\n";
}

// Machines.

const char* const kTwoCreators = R"(
machine Main { start state S { entry { new A(); new A(); } } }
machine A { start state S { entry { new B(); } } }
machine B { start state S { } }
)";

// All points. Main: fresh, before its first 'new', before its second, done. An A with its B: A fresh, A before 'new', B fresh, B done: 4 states and
// 3 steps. Main's first two: 2 states, 2 steps. Before the second 'new', the first A is there: 4 states, 3 steps and 4 of Main. Done: 4 x 4
// states, 2 x 3 x 4 steps. 2 + 4 + 16 states, 2 + 7 + 24 steps. If machines were numbered as they are created, B's would differ by who
// was first: more states.
TEST(Identity, MachinesAreTheSameInWhateverOrderTheyAreCreated) { EXPECT_EQ(counts(kTwoCreators, Points::kAll), (Counts{22, 33})); }

// Needed points: all five machines take one local step each.
TEST(Identity, CreatingIsLocal) { EXPECT_EQ(counts(kTwoCreators), (Counts{6, 5})); }

// Main, then 3 workers that only compute: 4 local steps in one order. All points: Main is fresh, or before one of three 'new's, or done; 2 for each worker
// there is: 1 + 1 + 2 + 4 + 8 states; Main's steps 1 + 1 + 2 + 4, the workers' 1 + 2 x 2 + 3 x 4.
TEST(Identity, WhatOnlyComputesIsExploredInOneOrder) {
  const std::string text = main_with("new W(1); new W(2); new W(3);") + R"(
machine W { var sum: int; start state S { entry (n: int) { var i: int; while (i < 10) { sum = sum + n * i; i = i + 1; } } } }
)";
  EXPECT_EQ(counts(text), (Counts{5, 4}));
  EXPECT_EQ(counts(text, Points::kAll), (Counts{16, 25}));
}

// Main has one local step, then each machine has one; the last two stop before they send. Then either sends first: send, Main handles (local), the other
// sends, Main handles; Main has seen them in one order or the other. 1 + 1 + n + 2 x 4 states.
TEST(Identity, MoreMachinesThanHaveWordsOfTheirOwn) {
  const auto text = [](int machines) {
    return "event e: int;\nmachine Main { var last: int; start state S {\n"
           "  entry { var i: int; while (i < " + std::to_string(machines) + ") { i = i + 1; new W((this, i)); } }\n"
           "  on e do (n: int) { last = n; } } }\n"
           "machine W { start state S { entry (p: (machine, int)) { if (p.1 > " + std::to_string(machines - 2) + ") { send p.0, e, p.1; } } } }\n";
  };
  EXPECT_EQ(counts(text(10)), (Counts{20, 19}));
  EXPECT_EQ(counts(text(64)), (Counts{74, 73}));
  EXPECT_EQ(counts(text(70)), (Counts{80, 79}));
  EXPECT_EQ(counts(text(250)), (Counts{260, 259}));
}

// Main makes them and comes to its send; a local step of each; Main sends to the last one, which handles it. 1 + 1 + n + 2 states.
TEST(Identity, MachinesWithoutWordsOfTheirOwnGetEvents) {
  const auto text = [](int machines) {
    return "event e: int;\nmachine Main { start state S { entry { var i: int; var w: W;\n"
           "  while (i < " + std::to_string(machines) + ") { i = i + 1; w = new W(); } send w, e, 7; } } }\n"
           "machine W { var got: int; start state S { on e do (n: int) { got = n; } } }\n";
  };
  EXPECT_EQ(counts(text(10)), (Counts{14, 13}));
  EXPECT_EQ(counts(text(70)), (Counts{74, 73}));
}

// Main and 201 machines in a row, one local step each.
TEST(Identity, AChainOfCreatorsMayBeLong) {
  EXPECT_EQ(counts(main_with("new M(200);") + "machine M { start state S { entry (n: int) { if (n > 0) { new M(n - 1); } } } }"), (Counts{203, 202}));
}

// Numbers of machines that the program can see.

// Who is interrupted before a `new` decides on numbers: the first A may create its B before Main creates the second A (B(3), and later B(5)), or after it
// (B(4) and B(5), either way round). Three orders of creation, a tree of 20 states.
TEST(Identity, NumbersThatAreKeptAreAsPGivesThem) {
  const std::string text = R"(
machine Main { start state S { entry { new A(false); new A(true); } } }
machine A { var mine: string; start state S { entry (late: bool) { mine = format("{0}", new B()); CHECK } } }
machine B { start state S { } }
)";
  const auto with = [&](const std::string& check) {
    std::string out = text;
    return out.replace(out.find("CHECK"), 5, check);
  };
  EXPECT_EQ(counts(with("assert mine == \"B(3)\" || mine == \"B(4)\" || mine == \"B(5)\";")), (Counts{20, 19}));
  EXPECT_EQ(counts(with("if (late) { assert mine == \"B(5)\"; }")).bugs, "assertion");   // the second A may be first
  EXPECT_EQ(counts(with("if (!late) { assert mine == \"B(4)\"; }")).bugs, "assertion");  // and the first A second
}

// C may create its machine before Main creates the next one.
TEST(Identity, NumbersThatAreKeptDependOnWhoIsInterrupted) {
  const auto text = [](const char* number) {
    return std::string("machine Main { start state S { entry { new C(); new A(); new A(); } } }\n") +
           "machine C { start state S { entry { var b: B; b = new B(); assert format(\"{0}\", b) != \"B(" + number + ")\"; } } }\n" +
           "machine A { start state S { } }\nmachine B { start state S { } }\n";
  };
  for (const char* number : {"3", "4", "5"}) EXPECT_EQ(counts(text(number), Points::kAll).bugs, "assertion") << number;
  for (const char* number : {"3", "4", "5"}) EXPECT_EQ(counts(text(number)).bugs, "assertion") << number;
  for (const char* number : {"2", "6"}) {
    EXPECT_EQ(counts(text(number), Points::kAll).bugs, "") << number;
    EXPECT_EQ(counts(text(number)).bugs, "") << number;
  }
}

// Sets and maps.

std::string keeper(const std::string& field, const std::string& add, const std::string& more = "") {
  return "event e: int;\nmachine Main { start state S { entry { var k: K; k = new K(); new A((k, 1)); new A((k, 2)); } } }\n"
         "machine A { start state S { entry (p: (K, int)) { send p.0, e, p.1; } } }\n"
         "machine K { var s: " + field + "; start state S { on e do (n: int) { " + add + " } } " + more + " }\n";
}

// Main, K and both A's have a local step each, to before the sends: 5 states. Then either sends, K handles it (local), the other sends, K handles it: 2 x 3
// states between, and one at the end. Where the program can see the order of the set, there are two at the end.
TEST(Identity, TheOrderOfASetThatNobodyAsksForIsNoPartOfAState) {
  EXPECT_EQ(counts(keeper("set[int]", "s += (n);")), (Counts{12, 12}));
  EXPECT_EQ(counts(keeper("map[int, int]", "s[n] = n;")), (Counts{12, 12}));
  EXPECT_EQ(counts(keeper("map[int, int]", "s += (n, n);")), (Counts{12, 12}));
  EXPECT_EQ(counts(keeper("set[(int, int)]", "s += ((n, n));")), (Counts{12, 12}));
  EXPECT_EQ(counts(keeper("(int, set[int])", "s.1 += (n);")), (Counts{12, 12}));
  EXPECT_EQ(counts(keeper("set[int]", "s += (n + 10); s += (n); s -= (n + 10);")), (Counts{12, 12}));
  EXPECT_EQ(counts(keeper("seq[int]", "s += (sizeof(s), n);")), (Counts{13, 12}));  // a sequence always has an order
}

TEST(Identity, TheOrderOfASetThatIsAskedForIsPartOfAState) {
  const std::string sum = "fun sum(): int { var t, n: int; foreach (n in s) { t = t + n; } return t; }";
  EXPECT_EQ(counts(keeper("set[int]", "s += (n);", sum)), (Counts{13, 12}));
  EXPECT_EQ(counts(keeper("set[int]", "s += (n);", "fun first(): int { return s[0]; }")), (Counts{13, 12}));
  EXPECT_EQ(counts(keeper("set[int]", "s += (n);", "fun any_of(): int { return choose(s); }")), (Counts{13, 12}));
  EXPECT_EQ(counts(keeper("map[int, int]", "s[n] = n;", "fun all(): seq[int] { return keys(s); }")), (Counts{13, 12}));
  EXPECT_EQ(counts(keeper("map[int, int]", "s[n] = n;", "fun all(): seq[int] { return values(s); }")), (Counts{13, 12}));
  EXPECT_EQ(counts(keeper("set[int]", "s += (n);", "fun f(x: any): set[int] { return x as set[int]; } " + sum)), (Counts{13, 12}));
  // Another type is asked for.
  EXPECT_EQ(counts(keeper("set[int]", "s += (n);", "fun f(x: set[bool]) { var b: bool; foreach (b in x) { } }")), (Counts{12, 12}));
}

// Texts are in the order of the elements' texts, as in P 3.0. Only keys with the same text stand as they do in the map.
TEST(Identity, TextsShowTheOrderOnlyOfKeysThatLookTheSame) {
  const std::string text = "fun text(): string { return format(\"{0}\", s); }", print = "fun show() { print format(\"{0}\", s); }";
  const std::string text_of_data = "fun text(x: data): string { return format(\"{0}\", x); }";
  EXPECT_EQ(counts(keeper("set[int]", "s += (n);", text)), (Counts{12, 12}));
  EXPECT_EQ(counts(keeper("set[int]", "s += (n);", text_of_data)), (Counts{12, 12}));
  EXPECT_EQ(counts(keeper("map[int, int]", "s[n] = n;", text)), (Counts{12, 12}));
  const std::string same = "if (n == 1) { s[\"1\"] = n; } else { s[1] = n; }";
  EXPECT_EQ(counts(keeper("map[data, int]", same, print)), (Counts{12, 12}));
  EXPECT_EQ(counts(keeper("map[data, int]", same, text)), (Counts{13, 12}));
  EXPECT_EQ(counts(keeper("map[data, int]", same, text_of_data)), (Counts{13, 12}));
  const std::string split = "if (n == 1) { s[(\"a,b\", \"c\")] = n; } else { s[(\"a\", \"b,c\")] = n; }";
  EXPECT_EQ(counts(keeper("map[(string, string), int]", split, text)), (Counts{13, 12}));
  EXPECT_EQ(counts(keeper("map[(string, string), int]", split, text_of_data)), (Counts{13, 12}));
  EXPECT_EQ(counts(keeper("map[(string, string), int]", split, "fun text(m: map[int, int]): string { return format(\"{0}\", m); }")), (Counts{12, 12}));
}

TEST(Identity, WhatATextShowsCanFail) {
  const auto bugs = [](const std::string& field, const std::string& add, const std::string& wanted) {
    return counts(keeper(field, add + " if (sizeof(s) == 2) { assert format(\"{0}\", s) == \"" + wanted + "\"; }")).bugs;
  };
  EXPECT_EQ(bugs("set[int]", "s += (n);", "(<1>, <2>)"), "");
  EXPECT_EQ(bugs("set[int]", "s += (n);", "(<2>, <1>)"), "assertion");
  EXPECT_EQ(bugs("map[int, int]", "s[n] = n;", "(<1->1>, <2->2>)"), "");
  const std::string same = "if (n == 1) { s[\"1\"] = n; } else { s[1] = n; }";
  EXPECT_EQ(bugs("map[any, int]", same, "(<1->1>, <1->2>)"), "assertion");
  EXPECT_EQ(bugs("map[any, int]", same, "(<1->2>, <1->1>)"), "assertion");
}

// Slots are used again, the one that was freed last first; equality does not care.
TEST(Identity, SetsAreEqualWhateverOrderTheyWereBuiltIn) {
  const std::string build = R"(
    var a, b: set[int]; var m, w: map[int, int]; var order: seq[int]; var x: int;
    a += (1); a += (2); a += (3); a += (4); a -= (2); a -= (3); a += (5); a += (6);
    b += (6); b += (7); b += (5); b += (4); b -= (7); b += (1);
    assert a == b; assert b == a; b -= (1); assert a != b; b += (9); assert a != b;
    m[1] = 10; m[2] = 20; m -= (1); m[3] = 30; w[3] = 30; w[4] = 0; w[2] = 20; w -= (4);
    assert m == w; w[2] = 21; assert m != w;
  )";
  EXPECT_EQ(counts(main_with(build)), (Counts{2, 1}));
  EXPECT_EQ(counts(main_with(build + R"(
    foreach (x in a) { order += (sizeof(order), x); }
    assert order[0] == 1 && order[1] == 6 && order[2] == 5 && order[3] == 4;
    assert keys(m)[0] == 3 && keys(m)[1] == 2;
  )")), (Counts{2, 1}));
}

// Copies.

TEST(Identity, WhatIsCopiedIsChangedAlone) {
  EXPECT_EQ(counts(main_with(R"(
    var a, b: (int, seq[int]); var t, u: (x: int, y: (int, int)); var s: seq[(int, int)]; var p: (int, int); var m: map[int, seq[int]];
    a = (1, default(seq[int])); b = a; b.0 = 2; b.1 += (0, 7);
    assert a.0 == 1 && sizeof(a.1) == 0 && b.0 == 2 && b.1[0] == 7;
    a = b; a.1[0] = 8; assert b.1[0] == 7;
    t = (x = 1, y = (2, 3)); u = t; u.y.0 = 9; assert t.y.0 == 2 && u.y.0 == 9;
    p = t.y; p.1 = 5; assert t.y.1 == 3; t.y.1 = 6; assert p.1 == 5 && u.y.1 == 3;
    s += (0, p); p.0 = 100; assert s[0].0 == 2; p = s[0]; s[0].0 = 50; assert p.0 == 2;
    m[1] = a.1; m[2] = m[1]; m[1] += (0, 0); assert sizeof(m[2]) == 1 && sizeof(a.1) == 1 && sizeof(m[1]) == 2;
    foreach (p in s) { p.1 = 77; } assert s[0].1 == 5;
    f = a; change(f); assert f.0 == a.0 && f.1[0] == 8; f = changed(f); assert f.0 == 99 && a.0 != 99;
  )", R"(
    fun change(v: (int, seq[int])) { v.0 = 99; v.1[0] = 98; }
    fun changed(v: (int, seq[int])): (int, seq[int]) { v.0 = 99; v.1[0] = 98; assert f.0 != 99; return v; }
  )", "var f: (int, seq[int]);")), (Counts{2, 1}));
}

// What is sent is as it was then: with four sends in a row, and one who looks at all of it at the end.
TEST(Identity, WhatIsSentIsChangedNoMore) {
  const std::string text = R"(
event e: (int, seq[int]);
machine Main { var v: (int, seq[int]); var k: machine; start state S { entry {
  k = new K(v); v.0 = 1; send k, e, v; v.1 += (0, 5); v.0 = 2; send k, e, v; v.1[0] = 6;
} } }
machine K { var n: int; start state S { entry (v: (int, seq[int])) { assert v.0 == 0; } on e do (v: (int, seq[int])) {
  n = n + 1; assert v.0 == n && sizeof(v.1) == n - 1; if (n == 2) { assert v.1[0] == 5; v.1[0] = 9; }
} } }
)";
  EXPECT_EQ(counts(text).bugs, "");
  EXPECT_EQ(counts(text, Points::kAll).bugs, "");
}

// Data choices.

// A step makes eight choices, then another one goes on: 2^8 states between if all is kept. If only the number of heads is, there are 9 and 11 states, and
// 2^8 + 9 x 2^2 steps.
TEST(Identity, TenCoins) {
  const auto coins = [](const std::string& each) {
    std::string entry;
    for (int i = 0; i < 10; ++i) entry += "if ($) { " + each + " = " + each + " + " + (each == "n" ? "1" : std::to_string(1 << i)) + "; } ";
    return main_with(entry, "", "var n, all: int;");
  };
  EXPECT_EQ(counts(coins("all")), (Counts{1 + 256 + 1024, 256 + 1024}));
  EXPECT_EQ(counts(coins("n")), (Counts{1 + 9 + 11, 256 + 9 * 4}));
  EXPECT_EQ(counts(coins("n"), Points::kAll), (Counts{1 + 9 + 11, 256 + 9 * 4}));
}

TEST(Identity, TenThousandChoices) {
  EXPECT_EQ(counts(main_with("n = choose(10000);", "", "var n: int;")), (Counts{10'001, 10'000}));
  EXPECT_EQ(counts(main_with("n = choose(10000) / 5000;", "", "var n: int;")), (Counts{3, 10'000}));
  // More than 4,096 outcomes are not made in one step: the second choice is a step of its own.
  EXPECT_EQ(counts(main_with("n = choose(100); m = choose(100);", "", "var n, m: int;")), (Counts{1 + 100 + 10'000, 100 + 10'000}));
  EXPECT_EQ(counts(main_with("n = choose(64); m = choose(64);", "", "var n, m: int;")), (Counts{1 + 4096, 4096}));
  EXPECT_EQ(counts(main_with("n = 10001; n = choose(n);", "", "var n: int;")).bugs, "runtime-error");
  EXPECT_EQ(counts(main_with("n = choose(1); n = choose(0);", "", "var n: int;")), (Counts{2, 1}));
}

// Main comes to its send; then it is sent, taken and chosen from in one step. The step that fails is taken from point to point: it ends where the event
// has been taken, and fails from there.
TEST(Identity, TenThousandElements) {
  const auto text = [](int size) {
    return "event e; machine Main { var s: seq[int]; var n: int; start state S {\n"
           "  entry { var i: int; while (i < " + std::to_string(size) + ") { s += (i, i); i = i + 1; } send this, e; }\n"
           "  on e do { n = choose(s); } } }\n";
  };
  EXPECT_EQ(counts(text(10'000)), (Counts{2 + 10'000, 1 + 10'000}));
  EXPECT_EQ(counts(text(10'001)), (Counts{3, 3, "runtime-error"}));
}

// Between the two halves of a step that chooses, nobody else runs.
TEST(Identity, NobodyComesBetweenTwoChoices) {
  std::string entry;
  for (int i = 0; i < 9; ++i) entry += "if ($) { n = n + 1; } ";
  // Main; then W1's 2^8 ways to 9 states, from each 2 ways to 10 states; W2 alike, before or after but never between. W1 and W2 end with 10 x 10.
  // Main: 1 state before, 1 with both fresh. One of them half way: 2 x 9, done: 2 x 10. The other half way: 2 x 10 x 9, done: 100.
  EXPECT_EQ(counts(main_with("new W(); new W();") + "machine W { var n: int; start state S { entry { " + entry + " } } }"),
            (Counts{1 + 1 + 2 * 9 + 2 * 10 + 2 * 10 * 9 + 100, 1 + 2 * (256 + 9 * 2) + 2 * 10 * (256 + 9 * 2)}));
}

// Steps that do not end.

TEST(Identity, StepsWithoutEndAreFound) {
  EXPECT_EQ(counts(main_with("while (true) { }")), (Counts{1, 1, "nontermination"}));
  EXPECT_EQ(counts(main_with("raise e;", "", "") + "event e;").bugs, "unhandled-event");
  EXPECT_EQ(counts(main_with("var i: int; while (true) { i = i + 1; if (i == 7) { i = 0; } }")), (Counts{1, 1, "nontermination"}));
  EXPECT_EQ(counts("event e; machine Main { start state S { entry { raise e; } on e do { raise e; } } }"), (Counts{1, 1, "nontermination"}));
  EXPECT_EQ(counts("machine Main { start state S { entry { goto T; } } state T { entry { goto S; } } }"), (Counts{1, 1, "nontermination"}));
  EXPECT_EQ(counts(main_with("f(99000);", "fun f(n: int) { if (n > 0) { f(n - 1); } }")), (Counts{2, 1}));
  EXPECT_EQ(counts("event e; spec P observes e { start state S { on e do { while (true) { } } } }\n"
                   "machine Main { start state S { entry { announce e; } } } test t [main=Main]: assert P in {Main};"),
            (Counts{1, 1, "nontermination"}));
  EXPECT_EQ(counts("event e; spec P observes e { start state S { on e goto T; } state T { entry { goto U; } } state U { entry { goto T; } } }\n"
                   "machine Main { start state S { entry { announce e; } } } test t [main=Main]: assert P in {Main};"),
            (Counts{1, 1, "nontermination"}));
}

// What nests deeper is a limit of ours: limits_test.cc.
TEST(Identity, ValuesMayNestAThousandDeep) {
  const auto nested = [](int times) {
    return main_with("var i: int; while (i < " + std::to_string(times) + ") { a = (a,); i = i + 1; }", "", "var a: any;");
  };
  EXPECT_EQ(counts(nested(1000)), (Counts{2, 1}));
}

// Events that are ignored.

// Main sends f, e, h. S ignores e, and on f goes to T, after a choice that comes to nothing (so that the step is not local); T goes to U on e, which ignores h.
// e must wait behind f. Main fresh, M fresh, M idle, f sent: 4 states, 3 steps. Then M handles f (2 ways) or Main sends e; [f, e]: M comes to U (2 ways) or
// Main sends h; [f, e, h]: M comes to U (2 ways). In T: e is sent, M handles it. In U, h vanishes. 4 + 6 states, 3 + 3 + 3 + 2 + 2 + 1 steps.
TEST(Identity, AnIgnoredEventWaitsBehindOneThatIsNot) {
  const std::string text = R"(
event e; event f; event h;
machine Main { start state A { entry { var m: M; m = new M(); send m, f; send m, e; send m, h; } } }
machine M {
  start state S { ignore e; on f goto T with { if ($) { } } }
  state T { on e goto U; on h do { assert false, "e is lost"; } }
  state U { ignore h; }
}
)";
  EXPECT_EQ(counts(text), (Counts{10, 14}));
  EXPECT_EQ(counts(text, Points::kAll).bugs, "");
}

// Where nothing else is to be done, an ignored event vanishes at once: Main sends two, and M's inbox is empty all the time. With all points of P it is there
// until M looks, which it never does: one more state a send.
TEST(Identity, AnIgnoredEventVanishesWhereThereIsNothingElseToDo) {
  const std::string text = R"(
event e;
machine Main { start state A { entry { var m: M; m = new M(); send m, e; send m, e; } } }
machine M { start state S { ignore e; } }
)";
  // Main fresh; M fresh; M idle; first sent; second sent.
  EXPECT_EQ(counts(text), (Counts{5, 4}));
  // Main fresh, before 'new', before both sends, after one, after both; M fresh or idle, with no, one or two events that came before or after its start.
  EXPECT_EQ(counts(text, Points::kAll).bugs, "");
}

// Steps that go on over points of P.

// W may run before Main makes V, and be the first that the spec hears of.
TEST(Identity, ANewMachineMayTellASpecSomethingFirst) {
  const std::string text = R"(
event e: int;
spec First observes e { start state S { on e do (n: int) { assert n == 1; goto T; } } state T { ignore e; } }
machine Main { start state S { entry { new W(); new V(); announce e, 1; } } }
machine W { start state S { entry { announce e, 2; } } }
machine V { start state S { } }
test t [main=Main]: assert First in { Main, W, V };
)";
  EXPECT_EQ(counts(text).bugs, "spec");
  EXPECT_EQ(counts(text, Points::kAll).bugs, "spec");
}

// M may find its inbox empty, and it may not.
TEST(Identity, ALookAtTheInboxIsNotLocal) {
  const auto text = [](const char* on_e, const char* on_null) {
    return std::string("event e;\nmachine Main { start state A { entry { var m: M; m = new M(); send m, e; } } }\n") +
           "machine M { start state S { on e do { " + on_e + " goto Done; } on null do { " + on_null + " goto Done; } } state Done { ignore e; } }\n";
  };
  for (const Points points : {Points::kNeeded, Points::kAll}) {
    EXPECT_EQ(counts(text("assert false;", ""), points).bugs, "assertion");
    EXPECT_EQ(counts(text("", "assert false;"), points).bugs, "assertion");
    EXPECT_EQ(counts(text("", ""), points).bugs, "");
  }
}

// Main sees that nothing is there, then W sends and says "first", then Main does what it does when nothing is there and says "second". One step of Main would say it first.
TEST(Identity, ALookAtTheInboxMayBeFollowedByWhatOthersSay) {
  const std::string text = R"(
event e; event first; event second;
machine Main { var done: bool; start state S { entry { new W(this); goto R; } }
  state R { on e do { done = true; goto Done; } on null do { announce second; goto Wait; } }
  state Wait { on e goto Done; }
  state Done { } }
machine W { start state S { entry (m: machine) { send m, e; announce first; } } }
spec Order observes first, second { start state None { on first goto One; on second goto Other; }
  state One { on second do { assert false; } } state Other { ignore first; } }
test t [main=Main]: assert Order in { Main, W };
)";
  EXPECT_EQ(counts(text, Points::kAll).bugs, "spec");
  EXPECT_EQ(counts(text).bugs, "spec");
}

// Main fails; but before it makes V, W may fail, too.
TEST(Identity, AFailureHidesNothing) {
  const std::string text = main_with("new W(); new V(); assert false;") + R"(
machine W { start state S { entry { var nobody: machine; send nobody, halt; } } }
machine V { start state S { } }
)";
  EXPECT_EQ(counts(text).bugs, "assertion runtime-error");
  EXPECT_EQ(counts(text, Points::kAll).bugs, "assertion runtime-error");
}

// Specs.

// Both have one state and one field, and see the same event; one counts up, the other one down, and only that fails. If they shared what is remembered
// of their steps, the second would do what the first does.
TEST(Identity, SpecsThatLookAlikeAreStillTwo) {
  const auto text = [](const char* least) {
    return std::string("event e;\nspec Up observes e { var n: int; start state S { on e do { n = n + 1; assert n > 0; } } }\n") +
           "spec Down observes e { var n: int; start state S { on e do { n = n - 1; assert n >= " + least + "; } } }\n"
           "machine Main { start state A { entry { announce e; announce e; new W(); } } }\n"
           "machine W { start state A { entry { announce e; } } }\ntest t [main=Main]: assert Up, Down in { Main, W };\n";
  };
  for (const Points points : {Points::kNeeded, Points::kAll}) {
    EXPECT_EQ(counts(text("-3"), points).bugs, "");
    EXPECT_EQ(counts(text("-2"), points).bugs, "spec");
  }
}

// A spec hears of a send before the event is on its way: in between, M may find its inbox empty.
TEST(Identity, SpecsHearOfASendBeforeItHappens) {
  const std::string text = R"(
event e; event empty;
spec Heard observes e, empty { start state S { on e goto H; ignore empty; } state H { on empty do { assert false; } } }
machine Main { start state A { entry { var m: M; m = new M(); send m, e; } } }
machine M { start state S { on e goto Done; on null do { announce empty; goto Done; } } state Done { ignore e; } }
test t [main=Main]: assert Heard in { Main, M };
)";
  EXPECT_EQ(counts(text).bugs, "spec");
  EXPECT_EQ(counts(text, Points::kAll).bugs, "spec");
}

}  // namespace
}  // namespace tarry::test
