// compile() survives everything that the parser lets through: random changes of good programs, and programs that are large in one
// way or another, in time that does not grow faster than they do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <functional>
#include <set>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::as_marked;
using testing_support::compile_text;
using testing_support::told;

namespace fs = std::filesystem;

// ---- Random changes.

std::size_t end_of_token(const std::string& text, std::size_t at) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  if (text[at] == '"') return std::min(text.find('"', at + 1), text.size() - 1) + 1;
  std::size_t end = at + 1;
  if (is_word(text[at])) {
    while (end < text.size() && is_word(text[end])) ++end;
    return end;
  }
  for (const char* sign : {"==", "!=", "<=", ">=", "&&", "||", "->", "+=", "-=", "$$"}) {
    if (text.compare(at, 2, sign) == 0) return at + 2;
  }
  return end;
}

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const std::size_t end = end_of_token(text, at);
    if (std::isspace(static_cast<unsigned char>(text[at])) == 0) result.push_back(text.substr(at, end - at));
    at = end;
  }
  return result;
}

/// Programs that use most of the language, besides the litmus programs.
constexpr const char* kRich[] = {
    R"(param n: int; param b: bool; type tP = (a: int, b: seq[machine]); enum E { X = 1, Y } event e: tP; event f;
      eventset Z = { e, f };
       interface I(int) receives e; machine M receives e, f; sends f, halt; { var q: map[int, set[any]]; start state S {
      entry (x: int) { h(x, this); goto T, 3; }
       on e do (p: tP) { q[p.a] += (p.b); } defer f; exit { print "bye"; } } cold state T { entry (y: int) { if (y in q && $) {
      raise f; } else { assert false, format("{0}", y); } }
       on f goto S2 with { announce f; } ignore halt; on null do { } } state S2 { } fun h(x: int, m: machine): float {
      while (x > 0) { x = x - 1; if (x == n) { break; } } return x to float; } }
       machine N { start state S { entry { var m: I; var k: int; m = new I(choose(3));
      send m, e, (a = 1, b = default(seq[machine])); foreach (k in keys(default(map[int, bool]))) { continue; }
       receive { case f: { return; } case e: (p: tP) { k = p.a; } } } } }
       spec P observes e, f { var c: int; start hot state A { on e do (p: tP) { c = c + p.a; } on f goto B; } cold state B {
      ignore e, f; } }
       module X = { M -> I, N }; test t [main = N]: assert P in X;
      test param (n in [1, 2, 3], b in [true, false]) assume n > 1 || b pairwise u [main = N]: (union {
      N }, (rename I to I in { M -> I }));)",
    R"(type A = B; type B = seq[C]; type C = (int, D); type D; event a; event b: A; fun g(x: A): D;
      fun g2(): (x: int, y: string) { return (x = 1, y = "s"); }
       machine Q receives a; sends b; { start state S { entry { var t: A; t += (0, (1, g(t))); assert g2().x == t[0].0;
      send this, b, t; } } }
       machine R receives b; sends a; { start state S { } } module One = { Q }; module Two = { R };
      module Both = hidei Q in compose One, Two; implementation im [main = Q]: main Q in union One, Two;
       test w [main = Q]: hidee a in Both;)",
};

std::vector<std::vector<std::string>> seeds() {
  std::vector<std::vector<std::string>> result;
  for (const char* text : kRich) result.push_back(tokens_of(text));
  for (const auto& entry : fs::directory_iterator(fs::path(TARRY_TEST_SOURCE_DIR) / "tests/plang_syntax/litmus"))
    result.push_back(tokens_of(testing_support::file_text(entry.path())));
  return result;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435769U + 1) {}
  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33) % limit;
  }

 private:
  std::uint64_t state_;
};

/// Tokens of one kind stand for one another without breaking the syntax, mostly.
enum class Kind { kName, kValue, kType, kOperator, kOther };

Kind kind_of(const std::string& token) {
  static const std::set<std::string> values = {"true", "false", "null", "this", "$", "$$", "halt"};
  static const std::set<std::string> types = {"int", "bool", "float", "string", "event", "machine", "data", "any"};
  static const std::set<std::string> operators = {"+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "in"};
  static const std::set<std::string> words = {
      "entry",   "exit",    "on",     "do",       "goto",      "with",           "defer",    "ignore", "announce",
      "assert",  "assume",  "break",  "case",     "continue",  "else",           "if",       "new",    "print",
      "raise",   "receive", "return", "send",     "while",     "foreach",        "as",       "to",     "choose",
      "default", "format",  "keys",   "values",   "sizeof",    "module",         "test",     "param",  "compose",
      "union",   "hidee",   "hidei",  "rename",   "main",      "pairwise",       "type",     "enum",   "map",
      "seq",     "set",     "var",    "fun",      "spec",      "observes",       "receives", "sends",  "state",
      "start",   "hot",     "cold",   "eventset", "interface", "implementation", "wise"};
  if (operators.contains(token)) return Kind::kOperator;
  if (types.contains(token)) return Kind::kType;
  if (values.contains(token) || token[0] == '"' || std::isdigit(static_cast<unsigned char>(token[0])) != 0) return Kind::kValue;
  const bool is_word = std::isalpha(static_cast<unsigned char>(token[0])) != 0 || token[0] == '_';
  return is_word && !words.contains(token) ? Kind::kName : Kind::kOther;
}

bool may_replace(const std::string& old, const std::string& other, Random& random) {
  const Kind from = kind_of(old), to = kind_of(other);
  if (old == other || from == Kind::kOther) return false;
  return from == to || (to == Kind::kName && from != Kind::kOperator && random.below(2) == 0) ||
         (from == Kind::kName && to == Kind::kValue && random.below(8) == 0);
}

void mutate(std::vector<std::string>& tokens, const std::vector<std::string>& others, Random& random) {
  const std::size_t at = random.below(tokens.size());
  switch (random.below(40)) {
    case 0: tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at)); return;
    case 1:
      tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), std::string(tokens[random.below(tokens.size())]));
      return;
    case 2: std::swap(tokens[at], tokens[random.below(tokens.size())]); return;
    default: break;
  }
  for (int attempt = 0; attempt < 200; ++attempt) {
    std::string& old = tokens[random.below(tokens.size())];
    const std::vector<std::string>& from = random.below(4) == 0 ? others : tokens;
    const std::string& other = from[random.below(from.size())];
    if (!may_replace(old, other, random)) continue;
    old = std::string(other);
    return;
  }
}

TEST(Robustness, RandomlyChangedProgramsAreSurvived) {
  const std::vector<std::vector<std::string>> all = seeds();
  std::size_t checked = 0, accepted = 0;
  for (std::uint64_t round = 0; round < 6000; ++round) {
    Random random(round);
    std::vector<std::string> tokens = all[round % 3 == 0 ? random.below(2) : random.below(all.size())];
    const std::vector<std::string>& others = all[random.below(all.size())];
    for (std::size_t i = 0, count = 1 + random.below(4); i < count && tokens.size() > 1; ++i) mutate(tokens, others, random);
    const std::string program = fmt::format("{}", fmt::join(tokens, " "));
    const Compiled compiled = compile_text(program);
    const bool parsed = compiled.problems.empty() || (compiled.problems[0].id != "E01" && compiled.problems[0].id != "E02");
    checked += parsed ? 1 : 0;
    accepted += compiled.program != nullptr ? 1 : 0;
    for (const Problem& problem : compiled.problems) EXPECT_FALSE(problem.text.empty());
  }
  EXPECT_GT(checked, 1500U);  // that is, most of the checker is reached
  EXPECT_GT(accepted, 200U);
}

// ---- Large programs.

class Large : public testing::Test {
 protected:
  /// Of the processor, so that others on the machine do not matter. Generous: a sanitizer has to pass, a quadratic algorithm not.
  void SetUp() override { start_ = std::clock(); }
  void TearDown() override { EXPECT_LT(std::clock() - start_, 20 * CLOCKS_PER_SEC); }

 private:
  std::clock_t start_ = 0;
};

std::string repeated(int count, const std::function<std::string(int)>& text) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text(i);
  return result;
}

TEST_F(Large, ChainsOfAliases) {
  EXPECT_TRUE(as_marked(repeated(50000, [](int i) { return fmt::format("type t{} = t{};\n", i, i + 1); }) +
                        "type t50000 = int; fun f() { var x: t0; x = 1; }"));
  EXPECT_EQ(
      told(compile_text(repeated(50000, [](int i) { return fmt::format("type t{} = t{};\n", i, i + 1); }) + "type t50000 = t0;"))
          .size(),
      1U);
}

TEST_F(Large, TypesThatDouble) {
  const std::string program =
      "type t0 = int;\n" + repeated(200, [](int i) { return fmt::format("type t{} = (t{}, t{});\n", i + 1, i, i); });
  EXPECT_EQ(compile_text(program + "fun f() { var x: t200; x = 1; }").problems[0].id, "E08");
  EXPECT_TRUE(
      as_marked("type t0 = int; type t1 = (t0, t0); type t2 = (t1, t1); type t3 = (t2, t2); fun f() { var x: t3; x = ((((1, 2), "
                "(3, 4)), ((1, 2), (3, 4)))).0.0.0 to /*E30*/t3; }"));
}

TEST_F(Large, TypesThatGrowHigh) {
  const std::string program =
      "type t0 = int;\n" + repeated(3000, [](int i) { return fmt::format("type t{} = seq[t{}];\n", i + 1, i); });
  const Compiled compiled = compile_text(program + "fun f() { var x: t3000; var y: t900; x = y; }");
  EXPECT_FALSE(compiled.problems.empty());
  for (const Problem& problem : compiled.problems) EXPECT_EQ(problem.id, "E08");
}

TEST_F(Large, ThousandsOfDeclarations) {
  const std::string program = repeated(3000, [](int i) {
    return fmt::format(
        "event e{0}: int; enum E{0} {{ a{0}, b{0} }} fun f{0}(x: int): int {{ return f{1}(x); }} interface I{0}() receives "
        "e{0};\n",
        i, (i + 1) % 3000);
  });
  const std::string machines = repeated(1000, [](int i) {
    return fmt::format(
        "machine M{0} receives e{0}; {{ var v: int; start state S {{ entry {{ v = f{0}(v); new M{1}(); }} on e{0} do (x: int) {{ "
        "v = x; }} }} }}\n",
        i, (i + 1) % 1000);
  });
  const std::string module =
      "module All = { M0" + repeated(999, [](int i) { return fmt::format(", M{}", i + 1); }) + " }; test t [main = M0]: All;";
  EXPECT_TRUE(as_marked(program + machines + module));
}

TEST_F(Large, ThousandsOfUnknownNames) {
  const std::string program =
      repeated(20000, [](int i) { return fmt::format("event longish_name_{}: unknown_name_{};\n", i, i); });
  EXPECT_EQ(compile_text(program).problems.size(), Diagnostics::kMost);
}

TEST_F(Large, ThousandsOfVariables) {
  std::string names = "v0";
  for (int i = 1; i < 30000; ++i) names += fmt::format(", v{}", i);
  EXPECT_TRUE(as_marked("fun f() { var " + names + ": (int, seq[bool]); " +
                        repeated(30000, [](int i) { return fmt::format("v{}.0 = 1; ", i); }) + "}"));
}

TEST_F(Large, DeepExpressionsAndStatements) {
  EXPECT_TRUE(as_marked("fun f() { var x: int; x = 1" + repeated(900, [](int) { return " + 1"; }) + "; }"));
  EXPECT_TRUE(as_marked("fun f() { assert " + repeated(900, [](int) { return "!"; }) + "true; }"));
  EXPECT_TRUE(as_marked("fun f() { " + repeated(900, [](int) { return "if ($) "; }) + "; }"));
  std::string receives = "event e; fun f(): int { ", closing;
  for (int i = 0; i < 400; ++i) {
    receives += "receive { case e: { var x: int; ";
    closing += " } }";
  }
  EXPECT_EQ(told(compile_text(receives + closing + " return 1; }")), std::vector<std::string>{});
}

TEST_F(Large, LongCallChainsAndRecursion) {
  const std::string chain = repeated(20000, [](int i) { return fmt::format("fun f{}() {{ f{}(); }}\n", i, i + 1); });
  const Compiled compiled = compile_text(
      "event e; " + chain + "fun f20000() { announce e; } spec P observes e { start state S { ignore e; entry { f0(); } } }");
  EXPECT_EQ(compiled.problems.size(), 1U);
  EXPECT_EQ(compiled.problems[0].id, "E36");
}

TEST_F(Large, ChainsOfModules) {
  const std::string chain = repeated(20000, [](int i) { return fmt::format("module m{} = m{};\n", i, i + 1); });
  EXPECT_TRUE(as_marked("machine M { start state S { } }\n" + chain + "module m20000 = { M }; test t [main = M]: m0;"));
}

TEST_F(Large, UnionsOfUnions) {
  const std::string machines = repeated(1500, [](int i) { return fmt::format("machine M{} {{ start state S {{ }} }}\n", i); });
  const std::string unions = "module u0 = { M0 };\n" + repeated(1499, [](int i) {
                               return fmt::format("module u{} = union u{}, {{ M{} }};\n", i + 1, i, i + 1);
                             });
  EXPECT_TRUE(as_marked(machines + unions + "test t [main = M7]: u1499;"));
}

TEST_F(Large, UnionsThatDoubleAreRefused) {
  const std::string doubling = "machine M { start state S { } } module u0 = { M };\n" +
                               repeated(60, [](int i) { return fmt::format("module u{} = union u{}, u{};\n", i + 1, i, i); });
  const Compiled compiled = compile_text(doubling);
  ASSERT_FALSE(compiled.problems.empty());
  EXPECT_EQ(compiled.problems[0].id, "E49");
}

TEST_F(Large, ModulesBeyondAllBoundsAreRefused) {
  const std::string machines = repeated(6000, [](int i) { return fmt::format("machine M{} {{ start state S {{ }} }}\n", i); });
  const std::string unions = "module u0 = { M0 };\n" + repeated(5999, [](int i) {
                               return fmt::format("module u{} = union u{}, {{ M{} }};\n", i + 1, i, i + 1);
                             });
  const Compiled compiled = compile_text(machines + unions);
  ASSERT_EQ(compiled.problems.size(), 1U) << compiled.messages;
  EXPECT_EQ(compiled.problems[0].id, "E67");
}

TEST_F(Large, TestsBeyondAllBoundsAreRefused) {
  const std::string machines = repeated(100, [](int i) { return fmt::format("machine M{} {{ start state S {{ }} }}\n", i); });
  std::string values = "0";
  for (int i = 1; i < 300; ++i) values += fmt::format(", {}", i);
  const Compiled compiled = compile_text("param a: int; param b: int; " + machines + "test param (a in [" + values + "], b in [" +
                                         values + "]) t [main = M0]: { M0 };");
  ASSERT_EQ(compiled.problems.size(), 1U) << compiled.messages;
  EXPECT_EQ(compiled.problems[0].id, "E67");
}

TEST_F(Large, StatesTimesEventsBeyondAllBoundsAreRefused) {
  const std::string events = repeated(10000, [](int i) { return fmt::format("event e{};", i); });
  const std::string states =
      "machine M { start state S { }" + repeated(10000, [](int i) { return fmt::format("state s{} {{ }}", i); }) + "}";
  const Compiled compiled = compile_text(events + states);
  ASSERT_EQ(compiled.problems.size(), 1U);
  EXPECT_EQ(compiled.problems[0].id, "E67");
}

TEST_F(Large, ManyReceiveCasesAndHandlers) {
  const std::string events = repeated(3000, [](int i) { return fmt::format("event e{}: int;\n", i); });
  const std::string cases = "fun f() { receive { " +
                            repeated(3000, [](int i) { return fmt::format("case e{}: (x: int) {{ x = {}; }}\n", i, i); }) + "} }";
  const std::string handlers =
      "machine M { start state S { " + repeated(3000, [](int i) { return fmt::format("on e{} do (x: int) {{ }}\n", i); }) + "} }";
  EXPECT_TRUE(as_marked(events + cases + handlers));
}

}  // namespace
}  // namespace tarry::plang
