// Section 3.3: what may be stored where, row by row, and the table of types itself.
#include "plang/sema/types.h"

#include <gtest/gtest.h>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::as_marked;
using testing_support::compile_text;
using testing_support::told;

constexpr const char* kTypes = R"(
  event a; event b; enum C { Red } enum D { Green } type F; type G; type N = int; type NN = N;
  machine All { start state S { } } machine All2 { start state S { } }
  machine A receives a; { start state S { } } machine A2 receives a; { start state S { } } machine B receives b; {
      start state S { } }
  machine Nothing receives; { start state S { } }
  interface IA() receives a; eventset SA = { a }; eventset SAB = { a, b };
)";

/// Does `target = source` compile, and if not, is E22 all that is told?
testing::AssertionResult stores(const std::string& target, const std::string& source) {
  const std::string value = source == "null" ? "null" : "s";
  const std::string declared = source == "null" ? "" : "var s: " + source + "; ";
  const Compiled compiled =
      compile_text(std::string(kTypes) + "fun f() { var t: " + target + "; " + declared + "t = " + value + "; }");
  const std::vector<std::string> found = told(compiled);
  if (found.empty()) return testing::AssertionSuccess() << target << " <- " << source;
  if (found.size() == 1 && found[0].starts_with("E22 "))
    return testing::AssertionFailure() << target << " does not take " << source;
  ADD_FAILURE() << compiled.messages;
  return testing::AssertionFailure();
}

struct Row {
  std::string target;
  std::vector<std::string> takes, refuses;
};

void check(const Row& row) {
  for (const std::string& source : row.takes) EXPECT_TRUE(stores(row.target, source));
  for (const std::string& source : row.refuses) EXPECT_FALSE(stores(row.target, source));
}

TEST(Assignability, AnyTakesEverything) {
  check({"any",
         {"any", "data", "machine", "event", "int", "bool", "float", "string", "null", "C", "F", "A", "SA", "seq[machine]",
          "set[any]", "map[int, any]", "(int, machine)", "(x: any)"},
         {}});
}

TEST(Assignability, DataTakesWhatHasNoMachineReferences) {
  check({"data",
         {"data", "null", "int", "bool", "float", "string", "event", "C", "seq[int]", "set[event]", "map[int, string]",
          "(int, C)", "(x: int, y: seq[bool])", "Nothing", "seq[data]"},
         {"machine", "any", "F", "A", "SA", "seq[machine]", "set[any]", "map[int, A]", "(int, F)", "(x: machine)"}});
}

TEST(Assignability, MachineTakesReferencesAndNull) {
  check(
      {"machine", {"machine", "null", "A", "All", "IA", "SA", "Nothing"}, {"any", "data", "event", "int", "F", "seq[machine]"}});
}

TEST(Assignability, EventTakesEventsAndNull) {
  check({"event", {"event", "null"}, {"any", "data", "machine", "int", "SA", "A", "a"}});
}

TEST(Assignability, ScalarsTakeOnlyThemselves) {
  check({"int", {"int", "N", "NN"}, {"bool", "float", "string", "null", "any", "data", "C", "event", "(int)"}});
  check({"bool", {"bool"}, {"int", "float", "string", "null", "any", "data", "C"}});
  check({"float", {"float"}, {"int", "bool", "string", "null", "any", "data"}});
  check({"string", {"string"}, {"int", "bool", "float", "null", "any", "data"}});
}

TEST(Assignability, ReferencesTakeReferencesWithTheSameEvents) {
  check({"A", {"A", "A2", "IA", "SA", "a"}, {"B", "All", "SAB", "Nothing", "machine", "null", "any", "event"}});
  check({"IA", {"A", "IA", "SA"}, {"B", "SAB", "machine", "null"}});
  check({"SA", {"A", "IA", "SA", "a"}, {"SAB", "B", "machine", "null"}});
  check({"SAB", {"SAB"}, {"SA", "A", "All", "machine"}});
  check({"All", {"All", "All2"}, {"A", "SAB", "machine", "null"}});
}

TEST(Assignability, EnumsTakeTheSameEnum) {
  check({"C", {"C"}, {"D", "int", "null", "any"}});
  check({"D", {"D"}, {"C", "int"}});
}

TEST(Assignability, ForeignTypesTakeTheSameForeignType) { check({"F", {"F"}, {"G", "null", "any", "int", "data"}}); }

TEST(Assignability, CollectionsAreCovariant) {
  check({"seq[int]", {"seq[int]", "seq[N]"}, {"seq[any]", "seq[bool]", "set[int]", "map[int, int]", "null", "any", "int"}});
  check({"seq[any]", {"seq[int]", "seq[machine]", "seq[seq[int]]"}, {"set[int]"}});
  check({"seq[data]", {"seq[int]"}, {"seq[machine]"}});
  check({"seq[machine]", {"seq[A]"}, {"seq[int]"}});
  check({"set[int]", {"set[int]"}, {"seq[int]", "set[any]", "null", "map[int, int]"}});
  check({"set[any]", {"set[int]", "set[A]"}, {"seq[any]"}});
  check({"map[int, any]", {"map[int, int]", "map[int, machine]"}, {"map[bool, int]", "map[any, any]", "seq[int]", "null"}});
  check({"map[any, int]", {"map[string, int]"}, {"map[string, any]"}});
}

TEST(Assignability, TuplesGoFieldByField) {
  check({"(int, any)",
         {"(int, any)", "(int, bool)"},
         {"(any, int)", "(int)", "(int, int, int)", "(x: int, y: any)", "null", "any"}});
  check({"(int)", {"(int)"}, {"int", "(any)", "(x: int)"}});
}

TEST(Assignability, NamedTuplesNeedTheSameNamesInTheSameOrder) {
  check({"(x: int, y: any)",
         {"(x: int, y: any)", "(x: int, y: bool)"},
         {"(y: int, x: any)", "(x: int, z: any)", "(x: int)", "(int, any)", "(x: any, y: any)", "null"}});
}

TEST(Assignability, AliasesAreTransparent) {
  EXPECT_TRUE(as_marked(R"(
    type A = (x: B); type B = seq[C]; type C = int;
    fun f() { var a: A; var b: (x: seq[int]); a = b; b = a; assert a == b; })"));
}

TEST(Assignability, NoValueTakesOnlyNoValue) {
  EXPECT_TRUE(as_marked(R"(
    event e; machine M { start state S { entry { send this, e, null; return null; } on e do { return /*E22*/1; } } })"));
}

// ---- The table.

TEST(TypeTable, EqualTypesAreOneObject) {
  TypeTable table;
  const Type* number = table.basic(TypeKind::kInt);
  EXPECT_EQ(table.sequence(number), table.sequence(number));
  EXPECT_EQ(table.named_tuple({number}, {"x"}), table.named_tuple({number}, {"x"}));
  EXPECT_NE(table.named_tuple({number}, {"x"}), table.named_tuple({number}, {"y"}));
  EXPECT_NE(table.tuple({number}), table.named_tuple({number}, {"x"}));
  EXPECT_NE(table.sequence(number), table.set(number));
  EXPECT_EQ(&table.at(table.sequence(number)->index), table.sequence(number));
}

TEST(TypeTable, ReferencesAreApartByNameButTheSameType) {
  TypeTable table;
  EventSet set;
  set.bits = {4};
  const Type* one = table.reference(table.events(set), "A");
  const Type* other = table.reference(table.events(set), "B");
  EXPECT_NE(one, other);
  EXPECT_TRUE(same_type(one, other));
}

TEST(TypeTable, SetsOfEventsAreInternedWhateverTheirLength) {
  TypeTable table;
  EventSet shorter, longer;
  shorter.bits = {6};
  longer.bits = {6, 0, 0};
  EXPECT_EQ(table.events(shorter), table.events(longer));
  EXPECT_EQ(table.events(shorter)->members(), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_TRUE(table.events(EventSet{})->empty());
  EXPECT_TRUE(longer.includes(shorter));
  EXPECT_FALSE(EventSet{}.includes(shorter));
}

TEST(TypeTable, PermissionsAreTheUnionOfTheParts) {
  TypeTable table;
  EventSet a, b;
  a.bits = {4};
  b.bits = {8};
  const Type* of_a = table.reference(table.events(a), "A");
  const Type* of_b = table.reference(table.events(b), "B");
  EXPECT_EQ(permissions(table.tuple({of_a, table.sequence(of_b)}), table)->bits, std::vector<std::uint64_t>{12});
  EXPECT_EQ(permissions(table.map(of_a, table.basic(TypeKind::kMachine)), table), nullptr);
  EXPECT_EQ(permissions(table.basic(TypeKind::kAny), table), nullptr);
  EXPECT_TRUE(permissions(table.basic(TypeKind::kData), table)->empty());
  EXPECT_TRUE(permissions(table.basic(TypeKind::kEvent), table)->empty());
}

TEST(TypeTable, TextIsAsWritten) {
  TypeTable table;
  const Type* number = table.basic(TypeKind::kInt);
  const Type* text = table.basic(TypeKind::kString);
  EXPECT_EQ(type_text(table.map(number, table.sequence(text))), "map[int, seq[string]]");
  EXPECT_EQ(type_text(table.named_tuple({number, table.set(text)}, {"a", "b"})), "(a: int, b: set[string])");
  EXPECT_EQ(type_text(table.tuple({number})), "(int)");
  EXPECT_EQ(type_text(table.basic(TypeKind::kNull)), "(no value)");
}

TEST(WrittenTypes, NamesAreLookedUpInTheirOrder) {
  // An event set is found before the interface, and that before the event of its name.
  EXPECT_TRUE(as_marked(R"(
    event a; event b; event X; eventset X = { a }; interface X() receives b;
    fun f() { var x: X; var y: Ya; x = y; } interface Ya() receives a;
    spec Z observes a { start state S { ignore a; } } fun g() { var z: Z; var n: data; n = z; }
    fun h() { var x: a; var y: Ya; y = x; var_ok(y); } fun var_ok(y: Ya) { })"));
}

TEST(WrittenTypes, UnknownNamesAreE07) {
  EXPECT_TRUE(as_marked("event e: /*E07*/Foo; fun f(x: seq[/*E07*/Bar]): /*E07*/Baz { var v: map[int, /*E07*/Qux]; return v; }"));
}

TEST(WrittenTypes, CirclesAreE08) {
  EXPECT_TRUE(as_marked("type /*E08*/A = B; type B = C; type C = A; type D = A; type E = int; event e: D;"));
  EXPECT_TRUE(as_marked("type /*E08*/A = seq[A]; type /*E08*/B = (x: int, y: map[int, B]);"));
  EXPECT_TRUE(as_marked("type /*E08*/A = (B, C); type B = A; type C = A;"));
  EXPECT_TRUE(as_marked("type A = B; type B = C; type C = seq[(A2, A2)]; type A2 = int;"));
}

TEST(WrittenTypes, RepeatedFieldsAreE09) {
  EXPECT_TRUE(as_marked("type A = (x: int, y: int, /*E09*/x: bool, /*E09*/x: int); fun f() { var a: A; a = 1; }"));
  EXPECT_TRUE(as_marked("fun f() { var a: any; a = (x = 1, /*E09*/x = 2); a = (x = 1, y = 2); }"));
}

}  // namespace
}  // namespace tarry::plang
