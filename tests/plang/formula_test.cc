// Formulas over P programs, held against specs that say the same.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/fair_oracle.h"
#include "tests/support/fewer.h"
#include "tests/support/p_endless.h"
#include "tests/support/p_everything.h"

namespace tarry::test {
namespace {

using plang::FormulaWatch;
using plang::Points;
using plang::PProgram;
using plang::Purpose;
using plang::testing_support::make_ready;
using plang::testing_support::Ready;

struct Watched {
  Ready ready;
  Result<FormulaWatch> formula;
  Watched(const std::string& text, const std::string& ltl)
      : ready(make_ready(text)), formula(FormulaWatch::make(ltl, "--ltl", *ready.compiled.program, ready.test())) {}
  std::string problem() const { return formula ? "" : formula.error().text; }
  std::unique_ptr<PProgram> program(Points points) const {
    return std::make_unique<PProgram>(*ready.code, ready.test(), points, Purpose::kSearch, plang::Bounds{}, nullptr, nullptr, &*formula);
  }
};

/// Is something violated, by an execution that goes on for ever or by one that ends? Nothing: there are too many states.
std::optional<bool> violated(const Program& program, OracleFairness fairness, bool fair_choices, std::size_t most = 600) {
  const auto graph = live_graph(program, most);
  if (!graph) return std::nullopt;
  bool out = graph->failures.count("liveness") != 0;
  for (std::uint32_t p = 0; p < program.properties().size(); ++p) out = out || FairOracle(*graph, fairness, fair_choices).violated(p);
  return out;
}

bool holds(const std::string& program, const std::string& ltl, Points points = Points::kNeeded) {
  const Watched watched(program, ltl);
  EXPECT_EQ(watched.problem(), "");
  const auto out = violated(*watched.program(points), OracleFairness::kWeak, true);
  EXPECT_TRUE(out);
  return !out.value_or(true);
}

/// A machine that goes round for ever, and says what is given in each round.
std::string round(const std::string& says, const std::string& first = "") {
  return "event again; event ask; event got; event other;\n"
         "machine Main { start state S { entry { " + first + " send this, again; } on again do { " + says + " send this, again; } } }\n"
         "spec Seen observes ask, got { start state None { on ask goto Asked; ignore got; } state Asked { on got goto None; ignore ask; } }\n"
         "test t [main=Main]: assert Seen in { Main };\n";
}

TEST(Formula, RequestsAndGrants) {
  EXPECT_TRUE(holds(round("announce ask; announce got;"), "G (ask -> F got)"));
  EXPECT_FALSE(holds(round("announce ask;"), "G (ask -> F got)"));
  EXPECT_FALSE(holds(round("announce ask; announce got;", "announce got;"), "!got U ask"));
  EXPECT_TRUE(holds(round("announce ask; announce got;"), "!got U ask"));
  EXPECT_TRUE(holds(round("announce ask;"), "G F ask"));
  EXPECT_FALSE(holds(round("announce ask;"), "F G !ask"));
  EXPECT_TRUE(holds(round("announce ask;"), "G F again"));  // what is sent counts, too
}

// Nothing that it sees happens any more: no event holds from then on.
TEST(Formula, ExecutionsThatGoOnWithoutItAreWordsThatEnd) {
  EXPECT_FALSE(holds(round("", "announce ask;"), "G (ask -> F got)"));
  EXPECT_FALSE(holds(round("", "announce ask;"), "G F ask"));
  EXPECT_TRUE(holds(round("", "announce ask;"), "F G !ask"));
  EXPECT_TRUE(holds(round("", "announce ask;"), "F ask"));
  EXPECT_FALSE(holds(round("", ""), "F ask"));
  EXPECT_TRUE(holds(round("", ""), "G !ask"));
}

TEST(Formula, ExecutionsThatEndAreWordsThatEnd) {
  const auto ends = [](const std::string& says) {
    return "event ask; event got;\nmachine Main { start state S { entry { " + says + " } } }\n";
  };
  EXPECT_FALSE(holds(ends("announce ask;"), "G (ask -> F got)"));
  EXPECT_TRUE(holds(ends("announce ask; announce got;"), "G (ask -> F got)"));
  EXPECT_FALSE(holds(ends("announce ask;"), "G F ask"));
  EXPECT_FALSE(holds(ends(""), "F ask"));
  EXPECT_TRUE(holds(ends(""), "G !ask"));
}

TEST(Formula, StatesOfSpecs) {
  EXPECT_TRUE(holds(round("announce ask; announce got;"), "G (Seen.Asked -> F Seen.None)"));
  EXPECT_FALSE(holds(round("announce ask;"), "G (Seen.Asked -> F Seen.None)"));
  EXPECT_TRUE(holds(round("", "announce ask;"), "F G Seen.Asked"));
  EXPECT_FALSE(holds(round("", ""), "F Seen.Asked"));
  EXPECT_TRUE(holds(round("announce ask; announce got;"), "G (ask -> Seen.Asked)"));  // the spec has seen the event
}

TEST(Formula, MistakesAreNamed) {
  const auto problem = [](const std::string& ltl) { return Watched(round(""), ltl).problem(); };
  EXPECT_EQ(problem("G (ask -> X got)"),
            "--ltl:1:11: 'X' cannot be used on a P program: which event comes next depends on events that the formula does not name; say it with U, F or G, in "
            "\"G (ask -> X got)\"");
  EXPECT_EQ(problem("F gott"), "--ltl:1:3: 'gott' is no event of the program; a state of a spec is written 'Spec.State', in \"F gott\"");
  EXPECT_EQ(problem("F Sen.None"), "--ltl:1:3: no spec 'Sen' is attached to test 't', in \"F Sen.None\"");
  EXPECT_EQ(problem("F Seen.Nothing"), "--ltl:1:3: spec 'Seen' has no state 'Nothing', in \"F Seen.Nothing\"");
}

struct Same {
  const char* ltl;
  const char* spec;
};
constexpr Same kSame[] = {
    {"G (m0 -> F m1)", "start cold state C { on m0 goto H; ignore m1, m2; } hot state H { on m1 goto C; ignore m0, m2; }"},
    {"G F m0", "start hot state H { on m0 goto C; ignore m1, m2; } cold state C { entry { goto H; } ignore m0, m1, m2; }"},
    {"G !m2", "start state C { on m2 goto H; ignore m0, m1; } hot state H { ignore m0, m1, m2; }"},
    {"F m1", "start hot state H { on m1 goto C; ignore m0, m2; } cold state C { ignore m0, m1, m2; }"},
    {"!m1 W m0", "start state S { on m0 goto C; on m1 goto H; ignore m2; } cold state C { ignore m0, m1, m2; } hot state H { ignore m0, m1, m2; }"},
    {"G (m0 -> (!m2 U m1))",
     "start cold state C { on m0 goto H; ignore m1, m2; } hot state H { on m1 goto C; on m2 goto B; ignore m0; } hot state B { ignore m0, m1, m2; }"},
};

std::string with_spec(const std::string& text, const std::string& states) {
  const std::size_t first = text.find("spec "), test = text.find("test t");
  const std::string attached = text.substr(test);
  return text.substr(0, first) + "spec Same observes m0, m1, m2 { " + states + " }\ntest t [main=Main]: assert Same" +
         attached.substr(attached.find(" in {"));
}

// Without any spec, with the formula alone; with both kinds of points, of fairness and of choices.
TEST(Formula, SaysTheSameAsASpecOnRandomPrograms) {
  std::size_t compared = 0, bugs = 0;
  for (std::uint64_t seed = 1; seed <= fewer(500u); ++seed) {
    const Same& same = kSame[seed % std::size(kSame)];
    const std::string text = with_spec(EndlessProgram(seed).text(), same.spec);
    const Points points = seed % 4 < 2 ? Points::kNeeded : Points::kAll;
    std::string bare = text;
    bare.replace(bare.find("assert Same in "), 15, "");
    bare.replace(bare.find("[main=Main]:"), 12, "[main=Main]: ");
    const Watched watched(bare, same.ltl);
    ASSERT_EQ(watched.problem(), "") << bare;
    const Searchable expected(text, points);
    for (const OracleFairness fairness : {OracleFairness::kNone, OracleFairness::kWeak})
      for (const bool fair_choices : {false, true}) {
        const auto truth = violated(*expected.program, fairness, fair_choices);
        if (!truth) continue;
        const auto found = violated(*watched.program(points), fairness, fair_choices, 20'000);
        ASSERT_TRUE(found) << seed;
        ASSERT_EQ(*found, *truth) << "seed " << seed << " " << same.ltl << "\n" << text;
        ++compared;
        bugs += *truth ? 1 : 0;
      }
  }
  EXPECT_GT(compared, fewer(500u));
  EXPECT_GT(bugs, fewer(100u));
  EXPECT_GT(compared - bugs, fewer(100u));
}

}  // namespace
}  // namespace tarry::test
