// Our automata against SPIN's, on random words. SPIN's translation knows no X.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "ltl/formula.h"
#include "tests/support/fewer.h"
#include "tests/support/ltl_words.h"

namespace tarry::ltl {
namespace {

using namespace testing_ltl;

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string out;
  std::array<char, 4096> part{};
  while (pipe != nullptr && std::fgets(part.data(), part.size(), pipe.get()) != nullptr) out += part.data();
  return out;
}

std::string text_of(const Formulas& f, Node node) {
  using Op = Formulas::Op;
  const Formulas::Parts p = f.parts(node);
  const auto two = [&](const char* op) { return "(" + text_of(f, p.left) + " " + op + " " + text_of(f, p.right) + ")"; };
  switch (p.op) {
    case Op::kTrue: return "true";
    case Op::kFalse: return "false";
    case Op::kAtom: return std::string("p") + std::to_string(p.left);
    case Op::kNotAtom: return "!p" + std::to_string(p.left);
    case Op::kAnd: return two("&&");
    case Op::kOr: return two("||");
    case Op::kUntil: return two("U");
    case Op::kRelease: return two("V");
    case Op::kNext: break;
  }
  ADD_FAILURE();
  return "";
}

/// A never claim, as SPIN prints it: states with guarded ways on; those named accept… are accepting.
struct Claim {
  struct Way {
    Formula guard;
    std::string to;
  };
  std::map<std::string, std::vector<Way>> states;
  std::map<std::string, std::string> names;  // a state may have several labels: which it is kept under
  std::set<std::string> accepting;
  std::string first;
};

constexpr const char* kAll = "accept_all";

Claim claim_of(const std::string& text) {
  Claim out;
  std::istringstream lines(text);
  std::string state;
  bool was_label = false;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string::npos) continue;
    if (start == 0 && line.back() == ':') {
      const std::string label = line.substr(0, line.size() - 1);
      if (!was_label) state = label;
      was_label = true;
      out.names[label] = state;
      if (label.starts_with("accept")) out.accepting.insert(state);
      if (out.first.empty()) out.first = state;
      out.states[state];
      continue;
    }
    was_label = false;
    if (line.find("skip") != std::string::npos) out.states[state].push_back({*parse("true", "guard"), state});
    const std::size_t way = line.find("::");
    if (way == std::string::npos) continue;
    std::string guard = line.substr(way + 2, line.find("->") - way - 2);
    if (const std::size_t atomic = guard.find("atomic {"); atomic != std::string::npos) guard = guard.substr(atomic + 8);
    for (std::size_t one = guard.find("(1)"); one != std::string::npos; one = guard.find("(1)")) guard.replace(one, 3, "true");
    const std::size_t jump = line.find("goto ");
    auto formula = parse(guard, "guard");
    EXPECT_TRUE(formula) << line;
    out.states[state].push_back({std::move(*formula), jump == std::string::npos ? kAll : line.substr(jump + 5)});
  }
  if (out.states.count(kAll) == 0) out.states[kAll].push_back({*parse("true", "guard"), kAll});
  out.names[kAll] = kAll;
  out.accepting.insert(kAll);
  return out;
}

/// As a Büchi automaton of ours: a transition is accepting if it leaves an accepting state.
Buchi automaton_of(const Claim& claim, std::uint32_t atoms) {
  Buchi out;
  std::map<std::string, std::uint32_t> numbers{{claim.first, 0}};
  for (const auto& [name, ways] : claim.states) numbers.emplace(name, static_cast<std::uint32_t>(numbers.size()));
  out.edges.resize(numbers.size());
  const Letter all = (Letter{1} << atoms) - 1;
  for (const auto& [name, ways] : claim.states)
    for (const Claim::Way& way : ways)
      for (Letter letter = 0; letter <= all; ++letter) {
        Letter named = 0;  // the guard numbers its atoms by itself
        for (std::size_t i = 0; i < way.guard.atoms.size(); ++i)
          if ((letter >> std::stoul(way.guard.atoms[i].substr(1)) & 1) != 0) named |= Letter{1} << i;
        if (!holds(way.guard.formulas, way.guard.root, {.letters = {named}, .loop = 0})) continue;
        out.edges[numbers.at(name)].push_back({numbers.at(claim.names.at(way.to)), letter, all & ~letter, claim.accepting.count(name) != 0});
      }
  return out;
}

bool has_next(const Formulas& f, Node node) {
  const Formulas::Parts p = f.parts(node);
  using Op = Formulas::Op;
  if (p.op == Op::kNext) return true;
  if (p.op == Op::kAnd || p.op == Op::kOr || p.op == Op::kUntil || p.op == Op::kRelease) return has_next(f, p.left) || has_next(f, p.right);
  return false;
}

TEST(Spin, AcceptsTheSameWords) {
  ASSERT_FALSE(output_of("spin -V 2>/dev/null").empty()) << "spin is not installed: ./test slow installs it";
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= test::fewer(400u); ++seed) {
    Rng rng(seed, 17);
    Formulas formulas;
    const std::uint32_t atoms = 1 + static_cast<std::uint32_t>(rng.below(3));
    const Node root = random_formula(formulas, rng, atoms, 1 + static_cast<unsigned>(rng.below(5)));
    if (has_next(formulas, root) || root <= 1) continue;
    const std::string text = text_of(formulas, root);
    const Claim claim = claim_of(output_of("spin -f '" + text + "' 2>/dev/null"));
    ASSERT_FALSE(claim.first.empty()) << text;
    const Buchi theirs = automaton_of(claim, atoms);
    const auto ours = automaton(formulas, root);
    ASSERT_TRUE(ours);
    for (int i = 0; i < 30; ++i) {
      const Word word = random_word(rng, atoms);
      ASSERT_EQ(accepts(*ours, word), accepts(theirs, word)) << text;
    }
    ++compared;
  }
  EXPECT_GT(compared, static_cast<int>(test::fewer(100u)));
}

}  // namespace
}  // namespace tarry::ltl
