#include "trace/field_diff.h"

#include <gtest/gtest.h>

namespace tarry {
namespace {

using Fields = Narrator::Fields;

Fields diff(const std::string& before, const std::string& after) { return changed_fields({{"f", before}}, {{"f", after}}); }

TEST(FieldDiff, EqualStatesHaveNone) { EXPECT_EQ(diff("[a b]", "[a b]"), Fields{}); }

TEST(FieldDiff, ScalarsAreShownWhole) { EXPECT_EQ(diff("1", "2"), (Fields{{"f", "1 -> 2"}})); }

TEST(FieldDiff, ListsAreShownByElement) {
  EXPECT_EQ(diff("[a b c]", "[a x y]"), (Fields{{"f[1]", "b -> x"}, {"f[2]", "c -> y"}}));
  EXPECT_EQ(diff("[[a b] [c d]]", "[[a b] [x d]]"), (Fields{{"f[1][0]", "c -> x"}}));
}

TEST(FieldDiff, ListsOfOtherLengthsAreShownWhole) {
  EXPECT_EQ(diff("[]", "[a]"), (Fields{{"f", "[] -> [a]"}}));
  EXPECT_EQ(diff("[a b]", "[b]"), (Fields{{"f", "[a b] -> [b]"}}));
  EXPECT_EQ(diff("[[a] [b c]]", "[[a d] [b c]]"), (Fields{{"f[0]", "[a] -> [a d]"}}));
}

TEST(FieldDiff, StructsAreShownByField) {
  EXPECT_EQ(diff("{x=1, y=[a b]}", "{x=1, y=[a c]}"), (Fields{{"f.y[1]", "b -> c"}}));
  EXPECT_EQ(diff("[{x=1, y=2} {x=3, y=4}]", "[{x=1, y=2} {x=5, y=4}]"), (Fields{{"f[1].x", "3 -> 5"}}));
  EXPECT_EQ(diff("{x=1}", "{y=1}"), (Fields{{"f", "{x=1} -> {y=1}"}}));
}

TEST(FieldDiff, BracketsThatDoNotMatchAreShownWhole) {
  EXPECT_EQ(diff("[a]b]", "[a]c]"), (Fields{{"f", "[a]b] -> [a]c]"}}));
  EXPECT_EQ(diff("[[a]", "[[b]"), (Fields{{"f", "[[a] -> [[b]"}}));
  EXPECT_EQ(diff("[", "]"), (Fields{{"f", "[ -> ]"}}));
  EXPECT_EQ(diff("", "[a]"), (Fields{{"f", " -> [a]"}}));
}

TEST(FieldDiff, FieldsComeAndGo) {
  EXPECT_EQ(changed_fields({{"a", "1"}}, {{"a", "1"}, {"sealed by process", "0"}}), (Fields{{"sealed by process", "0"}}));
  EXPECT_EQ(changed_fields({{"a", "1"}, {"b", "2"}}, {{"b", "3"}}), (Fields{{"b", "2 -> 3"}, {"a", "1 -> none"}}));
}

}  // namespace
}  // namespace tarry
