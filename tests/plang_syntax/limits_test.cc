// No input makes the parser fail, wait, or recurse without end: what is too deep or too large is told.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "tests/plang_syntax/tree_text.h"

namespace tarry::plang::testing {
namespace {

std::string times(std::size_t n, std::string_view text) {
  std::string out;
  out.reserve(n * text.size());
  for (std::size_t i = 0; i < n; ++i) out += text;
  return out;
}

/// Everything that nests, n levels of it.
struct Nesting {
  const char* name;
  std::function<std::string(std::size_t)> program;
};

std::string in_function(const std::string& text) { return "fun f() { " + text + " }"; }

const std::vector<Nesting>& nestings() {
  static const std::vector<Nesting> all = {
      {"parentheses", [](auto n) { return in_function("x = " + times(n, "(") + "1" + times(n, ")") + ";"); }},
      {"tuples", [](auto n) { return in_function("x = " + times(n, "(") + "1" + times(n, ",)") + ";"); }},
      {"named tuples", [](auto n) { return in_function("x = " + times(n, "(a = ") + "1" + times(n, ",)") + ";"); }},
      {"signs", [](auto n) { return in_function("x = " + times(n, "- ") + "1;"); }},
      {"calls", [](auto n) { return in_function("x = " + times(n, "f(") + times(n, ")") + ";"); }},
      {"creations", [](auto n) { return in_function(times(n, "new M(") + times(n, ")") + ";"); }},
      {"indices inside", [](auto n) { return in_function("x" + times(n, "[x") + times(n, "]") + " = 1;"); }},
      {"indices after", [](auto n) { return in_function("x" + times(n, "[1]") + " = 1;"); }},
      {"fields", [](auto n) { return in_function("y = x" + times(n, ".a.0") + ";"); }},
      {"sums", [](auto n) { return in_function("x = 1" + times(n, " + 1") + ";"); }},
      {"sums to the right", [](auto n) { return in_function("x = " + times(n, "1 + (") + "1" + times(n, ")") + ";"); }},
      {"casts", [](auto n) { return in_function("x = 1" + times(n, " as int") + ";"); }},
      {"blocks", [](auto n) { return in_function(times(n, "{") + times(n, "}")); }},
      {"ifs", [](auto n) { return in_function(times(n, "if (a) ") + ";"); }},
      {"else ifs", [](auto n) { return in_function(times(n, "if (a) ; else ") + ";"); }},
      {"loops", [](auto n) { return in_function(times(n, "while (a) foreach (i in s) ") + ";"); }},
      {"receives", [](auto n) { return in_function(times(n, "receive { case e: {") + times(n, "} }")); }},
      {"types", [](auto n) { return "type t = " + times(n, "seq[") + "int" + times(n, "]") + ";"; }},
      {"tuple types", [](auto n) { return "type t = " + times(n, "(a: (") + "int" + times(n, "))") + ";"; }},
      {"types in expressions",
       [](auto n) { return in_function("x = default(" + times(n, "map[int, ") + "int" + times(n, "]") + ");"); }},
      {"modules in parentheses", [](auto n) { return "module m = " + times(n, "(") + "M" + times(n, ")") + ";"; }},
      {"modules", [](auto n) { return "module m = " + times(n, "main M in ") + "M;"; }},
      {"unions", [](auto n) { return "module m = " + times(n, "union A, ") + "M;"; }},
  };
  return all;
}

TEST(Limits, WhatIsNestedTooDeeplyIsTold) {
  for (const Nesting& nesting : nestings()) {
    EXPECT_EQ(problems_of(nesting.program(450)), "") << nesting.name;
    const std::string deep = problems_of(nesting.program(10'000));
    EXPECT_TRUE(deep.ends_with("error: nested too deeply (more than 1000 levels) [E01]\n")) << nesting.name << ": " << deep;
  }
}

TEST(Limits, TheHeightOfAStatementCountsItsExpression) {
  EXPECT_EQ(problems_of(in_function("x = 1" + times(998, "+1") + ";")), "");
  EXPECT_EQ(problems_of(in_function("x = 1" + times(999, "+1") + ";")),
            "1:11: error: nested too deeply (more than 1000 levels) [E01]\n");
  EXPECT_EQ(problems_of(in_function("x = 1" + times(1000, "+1") + ";")),
            "1:2014: error: nested too deeply (more than 1000 levels) [E01]\n");
  const Parsed p = parsed(in_function("{ x = 1" + times(500, "+1") + "; ; }"));
  EXPECT_EQ(p.tree.functions[0]->body[0]->height, 503u);
}

TEST(Limits, GarbageOfSomeMegabytesEndsSoon) {
  constexpr std::size_t kSize = 1'000'000;
  const auto start = std::chrono::steady_clock::now();
  for (const char* piece : {"(",    "{",  "[",    "\"",       "/* ", "/", "\\", "seq[", "fun f(", "machine M {",
                            "if (", "- ", "\xff", "\xc3\xa9", "9",   "a", "a.", "==>",  "\n",     "union ("})
    for (const char* prefix : {"", "fun f() { x = ", "type t = ", "module m = ", "fun f() { print \""}) {
      const std::string messages = problems_of(prefix + times(kSize / std::string_view(piece).size(), piece));
      EXPECT_LT(messages.size(), 1000u) << prefix << piece;
    }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(Limits, AHugeProgramIsParsed) {
  constexpr std::size_t kCopies = 20'000;
  std::string text;
  for (std::size_t i = 0; i < kCopies; ++i)
    text += "machine M" + std::to_string(i) +
            " { var x: int; start state S { on e do (p: int) { x = x + p * 2; send this, e, (x, 1).0; } } }\n";
  const Parsed p = parsed(text);
  EXPECT_EQ(p.messages, "");
  EXPECT_EQ(p.tree.machines.size(), kCopies);
}

TEST(Limits, AProgramOfTooManyTokensIsRefused) {
  const std::string messages = problems_of("eventset s = { a" + times(5'000'000, ",a") + "};");
  EXPECT_EQ(messages, "1:10000012: error: the program is too large (more than 10000000 words and signs) [E01]\n");
}

TEST(Limits, WordsOfAnyLengthAreShownShort) {
  const std::string word(3'000'000, 'a');
  EXPECT_EQ(problems_of("event e " + word),
            "1:9: error: expected ';' after the event, found '" + std::string(40, 'a') + "…' [E01]\n");
  EXPECT_EQ(problems_of("event " + word + ";"), "");
  EXPECT_EQ(problems_of("event e \"x\ny\";"), "1:9: error: expected ';' after the event, found the string \"x… [E01]\n");
  EXPECT_EQ(expression(std::string(1'000'000, '1')).substr(0, 33), "a.p:1:15: error: the number is to");
}

}  // namespace
}  // namespace tarry::plang::testing
