#include <gtest/gtest.h>

#include "tests/plang_syntax/tree_text.h"

namespace tarry::plang::testing {
namespace {

std::string test_text(const std::string& text) {
  const Parsed p = parsed(text);
  if (!p.ok()) return p.messages;
  const TestDecl& test = *p.tree.tests[0];
  std::string out = test.name.text + " main " + test.main.text;
  for (const TestParam& param : test.params) {
    out += " " + param.name.text + " in";
    for (const TestParam::Value& value : param.values) out += (value.is_bool ? " b" : " ") + std::to_string(value.number);
  }
  if (test.assume) out += " assume " + text_of(*test.assume);
  if (test.strength != 0) out += (test.is_pairwise ? " pairwise " : " wise ") + std::to_string(test.strength);
  out += ": " + text_of(*test.module);
  return test.refines ? out + " refines " + text_of(*test.refines) : out;
}

TEST(Modules, HaveAllTheForms) {
  EXPECT_EQ(module("{ A, B -> I, C }"), "{A, B -> I, C}");
  EXPECT_EQ(module("((M))"), "M");
  EXPECT_EQ(module("compose A, { B }, C"), "(compose A {B} C)");
  EXPECT_EQ(module("union A, B"), "(union A B)");
  EXPECT_EQ(module("hidee e, halt in M"), "(hidee e, halt in M)");
  EXPECT_EQ(module("hidei I, J in M"), "(hidei I, J in M)");
  EXPECT_EQ(module("rename I to J in M"), "(rename I, J in M)");
  EXPECT_EQ(module("main M in { M }"), "(main M in {M})");
}

TEST(Modules, UnionTakesAllOperandsItCan) {
  EXPECT_EQ(module("assert A, B in union X, Y"), "(assert A, B in (union X Y))");
  EXPECT_EQ(module("union A, union B, C, D"), "(union A (union B C D))");
  EXPECT_EQ(module("union A, (union B, C), D"), "(union A (union B C) D)");
  EXPECT_EQ(module("union assert S in A, B"), "(union (assert S in A) B)");
  EXPECT_EQ(module("compose main M in A, B"), "(compose (main M in A) B)");
}

TEST(Modules, AreRefusedIfIncomplete) {
  EXPECT_EQ(module("union A"), "a.p:1:19: error: expected ',' after the first of at least two modules, found ';' [E01]\n");
  EXPECT_EQ(module("{ }"), "a.p:1:14: error: expected the name of a machine, found '}' [E01]\n");
  EXPECT_EQ(module("{ A, }"), "a.p:1:17: error: expected the name of a machine, found '}'; a list does not end in ',' [E01]\n");
  EXPECT_EQ(module("assert A, B"), "a.p:1:23: error: expected 'in' before the module, found ';' [E01]\n");
  EXPECT_EQ(module("rename A in B"), "a.p:1:21: error: expected 'to' after the name of the interface, found 'in' [E01]\n");
  EXPECT_EQ(
      module("hidee null in M"),
      "a.p:1:18: error: expected the name of an event, found 'null'; 'null' can only be a trigger of 'on' and 'case' [E01]\n");
  EXPECT_EQ(module("A, B"), "a.p:1:13: error: expected ';' after the module, found ',' [E01]\n");
  EXPECT_EQ(module(""), "a.p:1:12: error: expected a module, found ';' [E01]\n");
}

TEST(Implementations, MayNameTheirMain) {
  const Parsed p = parsed("implementation I: { M }; implementation J [main = M]: union A, B;");
  ASSERT_TRUE(p.ok()) << p.messages;
  EXPECT_EQ(p.tree.implementations[0]->main.text, "");
  EXPECT_EQ(p.tree.implementations[1]->main.text, "M");
  EXPECT_EQ(text_of(*p.tree.implementations[1]->module), "(union A B)");
}

TEST(Tests, HaveAllTheForms) {
  EXPECT_EQ(test_text("test t [main = M]: { M };"), "t main M: {M}");
  EXPECT_EQ(test_text("test t [main = M]: A refines { B };"), "t main M: A refines {B}");
  EXPECT_EQ(test_text("test param (a in [1, -3], b in [true, false]) t [main = M]: A;"), "t main M a in 1 -3 b in b1 b0: A");
  EXPECT_EQ(test_text("test param (a in [1]) assume (a > 1 || !b) pairwise t [main = M]: (union A, B);"),
            "t main M a in 1 assume (|| (> a 1) (! b)) pairwise 2: (union A B)");
  EXPECT_EQ(test_text("test param (a in [1]) (3 wise) t [main = M]: A;"), "t main M a in 1 wise 3: A");
  EXPECT_EQ(test_text("test param (a in [1]) assume a < b (2 wise) t [main = M]: A;"),
            "t main M a in 1 assume (< a b) wise 2: A");
  EXPECT_EQ(test_text("test assume f(2) t [main = M]: A;"), "t main M assume (call f 2): A");
  EXPECT_EQ(test_text("test pairwise t [main = M]: A;"), "t main M pairwise 2: A");
}

TEST(Tests, AreRefusedIfIncomplete) {
  EXPECT_EQ(test_text("test t: A;"), "a.p:1:7: error: expected '[' and the main machine, as in [main = M], found ':' [E01]\n");
  EXPECT_EQ(test_text("test t [M]: A;"),
            "a.p:1:9: error: expected 'main' and the main machine, as in [main = M], found 'M' [E01]\n");
  EXPECT_EQ(test_text("test t [main = M] A;"), "a.p:1:19: error: expected ':' before the module, found 'A' [E01]\n");
  EXPECT_EQ(test_text("test param (a in [1]) t [main = M]: A refines B;"),
            "a.p:1:39: error: expected ';' after the test, found 'refines' [E01]\n");
  EXPECT_EQ(test_text("test param () t [main = M]: A;"), "a.p:1:13: error: expected the name of a param, found ')' [E01]\n");
  EXPECT_EQ(test_text("test param (a in []) t [main = M]: A;"),
            "a.p:1:19: error: expected a number, 'true' or 'false', found ']' [E01]\n");
  EXPECT_EQ(test_text("test param (a in [1,]) t [main = M]: A;"),
            "a.p:1:21: error: expected a number, 'true' or 'false', found ']'; a list does not end in ',' [E01]\n");
  EXPECT_EQ(test_text("test param (a in [x]) t [main = M]: A;"),
            "a.p:1:19: error: expected a number, 'true' or 'false', found 'x' [E01]\n");
  EXPECT_EQ(test_text("test param (a in [1]) (2) t [main = M]: A;"),
            "a.p:1:25: error: expected 'wise' after the strength, as in (2 wise), found ')' [E01]\n");
  EXPECT_EQ(test_text("paramtest t [main = M]: A;"), "a.p:1:1: error: expected a declaration, found 'paramtest' [E01]\n");
  EXPECT_EQ(test_text("test param (a in [3000000000, -3000000000]) (9999999999 wise) t [main = M]: A;"),
            "a.p:1:19: error: the value is too large: expected at most 2147483647 [E10]\n"
            "a.p:1:32: error: the value is too large: expected at most 2147483647 [E10]\n"
            "a.p:1:46: error: the strength of the combinations is too large: expected at most 2147483647 [E10]\n");
}

}  // namespace
}  // namespace tarry::plang::testing
