// The programs of section 9 of the language reference parse, and nothing made of them by a mutation breaks the parser.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "plang/syntax/lexer.h"
#include "tests/plang_syntax/tree_text.h"

namespace tarry::plang::testing {
namespace {

TEST(Litmus, AllThirtyParse) {
  const auto files = litmus_files();
  EXPECT_EQ(files.size(), 30u);
  for (const auto& file : files) {
    const Parsed p = parsed(file_text(file));
    EXPECT_EQ(p.messages, "") << file;
    EXPECT_FALSE(p.tree.machines.empty()) << file;
  }
}

/// What must hold whatever the text is.
void expect_sane(const std::string& text) {
  const Parsed p = parsed(text);
  std::size_t stopping = 0;
  for (const Problem& problem : p.problems) {
    EXPECT_LE(problem.place.offset, text.size());
    EXPECT_TRUE(problem.id == "E01" || problem.id == "E02" || problem.id == "E10") << problem.id;
    stopping += problem.id == "E10" ? 0 : 1;
  }
  EXPECT_LE(stopping, 1u) << text;
}

TEST(Litmus, EveryTruncationIsTold) {
  for (const auto& file : litmus_files()) {
    const std::string text = file_text(file);
    for (std::size_t length = 0; length < text.size(); ++length) expect_sane(text.substr(0, length));
  }
}

TEST(Litmus, MutationsOfBytesAreTold) {
  Rng rng(1);
  for (const auto& file : litmus_files()) {
    const std::string text = file_text(file);
    for (int round = 0; round < 300; ++round) {
      std::string mutant = text;
      for (std::uint64_t count = 1 + rng.below(4); count > 0 && !mutant.empty(); --count) {
        const std::size_t at = rng.below(mutant.size());
        switch (rng.below(4)) {
          case 0: mutant[at] = static_cast<char>(rng.below(256)); break;
          case 1: mutant.erase(at, 1 + rng.below(8)); break;
          case 2: mutant.insert(at, 1, "(){}[];,.:=+-\"/*$!<>0a_ \n\\"[rng.below(27)]); break;
          default: mutant.insert(at, mutant.substr(rng.below(mutant.size()), rng.below(40))); break;
        }
      }
      expect_sane(mutant);
    }
  }
}

TEST(Litmus, MutationsOfTokensAreTold) {
  std::vector<std::string> pool;
  for (const auto& file : litmus_files()) {
    const std::string text = file_text(file);
    Lexer lexer(text);
    for (Token token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next())
      pool.push_back(text.substr(token.offset, token.length));
  }
  for (auto kind = TokenKind::kAny; kind <= TokenKind::kColon; kind = static_cast<TokenKind>(static_cast<int>(kind) + 1))
    if (!is_for_verifier(kind)) pool.emplace_back(spelling(kind));
  Rng rng(2);
  for (const auto& file : litmus_files()) {
    const std::string text = file_text(file);
    std::vector<std::string> tokens;
    Lexer lexer(text);
    for (Token token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next())
      tokens.push_back(text.substr(token.offset, token.length));
    for (int round = 0; round < 300; ++round) {
      std::vector<std::string> mutant = tokens;
      for (std::uint64_t count = 1 + rng.below(3); count > 0; --count) {
        const auto at = mutant.begin() + static_cast<std::ptrdiff_t>(rng.below(mutant.size()));
        switch (rng.below(4)) {
          case 0: *at = pool[rng.below(pool.size())]; break;
          case 1: mutant.insert(at, pool[rng.below(pool.size())]); break;
          case 2: std::swap(*at, mutant[rng.below(mutant.size())]); break;
          default:
            if (mutant.size() > 1) mutant.erase(at);
        }
      }
      std::string joined;
      for (const std::string& token : mutant) joined += token + " ";
      expect_sane(joined);
    }
  }
}

}  // namespace
}  // namespace tarry::plang::testing
