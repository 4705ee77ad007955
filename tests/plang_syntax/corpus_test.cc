// Replays what tests/fuzz/run found worth keeping, through parser and checker.
#include <gtest/gtest.h>

#include "plang/syntax/lexer.h"
#include "tests/plang_syntax/tree_text.h"

namespace tarry::plang::testing {
namespace {

const std::filesystem::path kFolder = TARRY_TEST_SOURCE_DIR "/tests/fuzz";

TEST(Corpus, EveryInputIsCompiledOrRefused) {
  std::size_t count = 0, compiled = 0;
  for (const auto& item : std::filesystem::directory_iterator(kFolder / "corpus")) {
    const std::string text = file_text(item.path());
    const Compiled result = testing_support::compile_text(text);
    std::size_t errors = 0;
    for (const Problem& problem : result.problems) {
      errors += problem.severity == Severity::kError ? 1 : 0;
      EXPECT_LE(problem.place.offset, text.size()) << item.path();
    }
    EXPECT_EQ(errors == 0, result.program != nullptr) << item.path();
    compiled += result.program != nullptr ? 1 : 0;
    ++count;
  }
  EXPECT_GT(count, 30u);
  EXPECT_LT(count, 300u);
  EXPECT_GT(compiled, 0u);  // else it would be noise that never gets past the checker
}

TEST(Corpus, TheDictionaryHasAllWordsAndSigns) {
  const std::string dictionary = file_text(kFolder / "p.dict");
  for (auto kind = TokenKind::kAny; kind <= TokenKind::kColon; kind = static_cast<TokenKind>(static_cast<int>(kind) + 1))
    EXPECT_NE(dictionary.find("\n\"" + std::string(spelling(kind)) + "\"\n"), std::string::npos) << spelling(kind);
}

}  // namespace
}  // namespace tarry::plang::testing
