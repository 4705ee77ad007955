// Every type there and back, through a running P program.
#include <gtest/gtest.h>
#include <tarry/foreign.h>

#include <limits>

#include "tests/plang_foreign/library.h"

namespace tarry::plang {
namespace {

std::string run(const std::string& declarations, const std::string& entry) { return Sample(declarations, entry).first_step(); }

TEST(ForeignConversions, Scalars) {
  EXPECT_EQ(run("fun Flip(b: bool): bool;", "assert Flip(false); assert !Flip(true);"), "");
  EXPECT_EQ(run("fun Successor(n: int): int;", "assert Successor(41) == 42; assert Successor(-1) == 0;"), "");
  EXPECT_EQ(run("fun Successor(n: int): int;", "var n: int; n = 2147483647 * 2147483647 * 2; assert Successor(n) - 1 == n && Successor(-n) == 1 - n;"), "");
  EXPECT_EQ(run("fun Half(d: float): float;", "assert Half(5.0) == 2.5; assert Half(-0.5) < 0.0;"), "");
  EXPECT_EQ(run("fun Twice(s: string): string;", "assert Twice(\"ab\") == \"abab\"; assert Twice(\"\") == \"\";"), "");
  EXPECT_EQ(run("enum Color { RED = 2, GREEN = 5 } fun Other(c: Color): Color;", "assert Other(RED) == GREEN; assert Other(GREEN) == RED;"), "");
}

TEST(ForeignConversions, Collections) {
  EXPECT_EQ(run("fun Reversed(s: seq[int]): seq[int];", "var s: seq[int]; assert Reversed(s) == s; s += (0, 1); s += (1, 2); s = Reversed(s); assert s[0] == 2 && sizeof(s) == 2;"), "");
  EXPECT_EQ(run("fun Flags(s: seq[bool]): seq[bool];", "var s: seq[bool]; s += (0, true); s += (1, false); assert Flags(s) == s;"), "");
  EXPECT_EQ(run("fun WithX(s: set[string]): set[string];", "var s: set[string]; s += (\"z\"); s = WithX(s); assert \"x\" in s && \"z\" in s && sizeof(s) == 2; assert WithX(s) == s; s -= (\"x\"); s = WithX(s); assert sizeof(s) == 2;"), "");
  EXPECT_EQ(run("fun Inverted(m: map[string, int]): map[int, string];", "var m: map[string, int]; var n: map[int, string]; m[\"a\"] = 7; m[\"b\"] = 5; n = Inverted(m); assert n[7] == \"a\" && n[5] == \"b\" && sizeof(n) == 2; n[6] = \"c\"; assert sizeof(n) == 3;"), "");
}

TEST(ForeignConversions, Tuples) {
  EXPECT_EQ(run("fun Swapped(t: (int, bool)): (bool, int);", "assert Swapped((3, true)) == (true, 3);"), "");
  const std::string job = "type Job = (id: int, tags: seq[string]); fun Tagged(j: Job): Job; fun ByPosition(j: Job): Job;";
  EXPECT_EQ(run(job, "var j: Job; j.id = 4; j = Tagged(Tagged(j)); assert j.id == 4 && sizeof(j.tags) == 2 && j.tags[0] == \"tag4\";"), "");
  EXPECT_EQ(run(job, "var j: Job; j.id = 4; assert ByPosition(Tagged(j)) == Tagged(j);"), "");
}

TEST(ForeignConversions, FieldsInAnotherOrder) {
  EXPECT_EQ(run("type Job = (tags: seq[string], id: int); fun Tagged(j: Job): Job;", "var j: Job; j.id = 4; j = Tagged(j); assert j.id == 4 && j.tags[0] == \"tag4\";"), "");
}

TEST(ForeignConversions, EventsAndMachines) {
  EXPECT_EQ(run("event eOne; event eTwo: int; fun SameEvent(e: event): event;", "assert SameEvent(eTwo) == eTwo; assert SameEvent(eTwo) != eOne; assert SameEvent(halt) == halt;"), "");
  EXPECT_EQ(run("event eOne; fun Maybe(b: bool): event;", "assert Maybe(true) == eOne; assert Maybe(false) == null;"), "");
  EXPECT_EQ(run("fun SameMachine(m: machine): machine;", "assert SameMachine(this) == this;"), "");
  EXPECT_EQ(run("fun Machines(m: machine): set[machine];", "var s: set[machine]; s = Machines(this); assert sizeof(s) == 1 && this in s;"), "");
}

TEST(ForeignConversions, AnyIsWhateverItIs) {
  EXPECT_EQ(run("event eOne; fun Anything(v: any): any;",
                "var s: set[int]; var m: map[int, seq[int]]; s += (3); s += (1); m[1] = default(seq[int]);"
                "assert Anything(null) == null; assert Anything(1) == 1; assert Anything(1.5) == 1.5; assert Anything(\"a\") == \"a\"; assert Anything(true) == true;"
                "assert Anything(eOne) == eOne; assert Anything(this) == this; assert Anything(s) == s; assert Anything(m) == m;"
                "assert Anything((1, \"a\")) == (1, \"a\"); assert Anything((a = 1, b = 2)) == (a = 1, b = 2); assert Anything((1, 2)) != (1, 3);"),
            "");
}

TEST(ForeignConversions, FunctionsOfACall) {
  EXPECT_EQ(run("fun Sum(a: int, b: int, c: int): int;", "assert Sum(1, 2, 3) == 6;"), "");
  EXPECT_EQ(run("fun Sum(): int;", "assert Sum() == 0;"), "");
  EXPECT_EQ(run("fun Nothing();", "Nothing();"), "");
}

TEST(ForeignConversions, Methods) {
  EXPECT_EQ(Sample("machine Other { start state S {} fun Method(n: int): int; }", "").first_step(), "");
  EXPECT_EQ(run("", "assert Method(1) == 2; } } fun Method(n: int): int; state T { entry {"), "");
}

TEST(ForeignConversions, SetsAreSeenInOneOrder) {
  EXPECT_EQ(run("fun Shown(v: any): string;", "var s: set[int]; s += (3); s += (10); s += (1); s -= (10); s += (2); assert Shown(s) == \"a set 1 2 3\", Shown(s);"), "");
}

TEST(ForeignTypes, AreValues) {
  const std::string bag = "type tBag; fun Put(b: tBag, x: int): tBag; fun Count(b: tBag): int; fun NoBag(): tBag;";
  EXPECT_EQ(run(bag, "var a: tBag; var b: tBag; a = Put(Put(a, 1), 2); b = Put(Put(b, 2), 1); assert a == b; assert Count(a) == 2; b = Put(b, 3); assert a != b && Count(a) == 2;"), "");
  EXPECT_EQ(run(bag, "var b: tBag; assert b == NoBag();"), "");
  EXPECT_EQ(run(bag, "var b: tBag; b = Put(b, 1); assert format(\"{0}\", b) == \"bag of 1\", format(\"{0}\", b);"), "");
  EXPECT_EQ(run(bag, "var m: map[tBag, int]; var b: tBag; b = Put(b, 1); m[b] = 5; assert m[Put(NoBag(), 1)] == 5;"), "");
}

TEST(ForeignTypes, KeepMachines) {
  EXPECT_EQ(run("type tBag; fun Put(b: tBag, x: int): tBag; fun Owned(b: tBag, m: machine): tBag; fun Owner(b: tBag): machine;",
                "var b: tBag; b = Put(b, 1); assert Owner(b) == null; b = Owned(b, this); assert Owner(b) == this;"),
            "");
}

TEST(ForeignTypes, WithoutTextShowTheirSize) {
  EXPECT_EQ(run("type tBox; fun GetBox(): tBox;", "assert format(\"{0}\", GetBox()) == \"<foreign value of 0 bytes>\";"), "");
}

// ---- Without a program.

TEST(ForeignValues, PackAndUnpack) {
  std::map<std::string, std::vector<std::pair<std::int64_t, bool>>> map{{"a", {{1, true}}}, {"", {}}}, map_again;
  std::optional<double> none, one = 1.5, none_again = 3.0, one_again;
  p::unpack(p::pack(map, none, one), map_again, none_again, one_again);
  EXPECT_EQ(map, map_again);
  EXPECT_EQ(none_again, std::nullopt);
  EXPECT_EQ(one_again, 1.5);
  std::int64_t n = 0;
  EXPECT_THROW(p::unpack(p::pack(1, 2), n), p::Mismatch);
  EXPECT_THROW(p::unpack("", n), p::Mismatch);
  EXPECT_THROW(p::unpack(std::string_view("\x02\x00\x00", 3), n), p::Mismatch);
  EXPECT_THROW(p::unpack("\x7f", n), p::Mismatch);
  EXPECT_THROW(p::unpack(p::pack(std::string("x")), n), p::Mismatch);
}

TEST(ForeignValues, Numbers) {
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()})
    EXPECT_EQ(p::value(n).as<std::int64_t>(), n);
  EXPECT_THROW(p::value(std::numeric_limits<std::uint64_t>::max()), p::Mismatch);
  EXPECT_THROW(p::value(300).as<std::uint8_t>(), p::Mismatch);
  EXPECT_THROW(p::value(-1).as<unsigned>(), p::Mismatch);
  EXPECT_THROW(p::value(1).as<double>(), p::Mismatch);
  EXPECT_THROW(p::value(true).as<int>(), p::Mismatch);
}

TEST(ForeignValues, Accessors) {
  const auto v = p::Value::named_tuple({{"a", p::value(1)}, {"b", p::value("x")}});
  EXPECT_EQ(v.field("b").as_string(), "x");
  EXPECT_THROW(v.field("c"), p::Mismatch);
  EXPECT_EQ(v.size(), 2u);
  const auto map = p::value(std::map<std::string, int>{{"one", 1}, {"two", 2}});
  EXPECT_EQ(map.size(), 2u);
  ASSERT_NE(map.find(p::value("two")), nullptr);
  EXPECT_EQ(map.find(p::value("two"))->as_int(), 2);
  EXPECT_FALSE(map.contains(p::value("three")));
  const auto set = p::Value::set({p::value(2), p::value(1), p::value(2)});
  EXPECT_EQ(set.size(), 2u);
  EXPECT_EQ(set[0].as_int(), 1);
  EXPECT_THROW(set[2], p::Mismatch);
  EXPECT_THROW(p::value(1).items(), p::Mismatch);
  EXPECT_EQ(p::Value::set({p::value(1), p::value(2)}), set);
  EXPECT_TRUE(p::Value().is_null());
}

}  // namespace
}  // namespace tarry::plang
