// The litmus programs of the language reference: two have one error each, the others compile.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::compile_text;
using testing_support::told;

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Litmus, CompilesButForTwoPrograms) {
  int count = 0;
  for (int number = 1; number <= 30; ++number) {
    const fs::path file = fs::path(TARRY_TEST_SOURCE_DIR) / "tests/plang_syntax/litmus" /
                          (std::string(number < 10 ? "0" : "") + std::to_string(number) + ".p");
    if (!fs::exists(file)) continue;
    ++count;
    const std::string text = text_of(file);
    const Compiled compiled = compile_text(text);
    if (number != 19 && number != 20) {
      EXPECT_TRUE(compiled.problems.empty()) << file << "\n" << compiled.messages;
      ASSERT_NE(compiled.program, nullptr);
      ASSERT_EQ(compiled.program->tests.size(), 1U) << file;
      EXPECT_EQ(compiled.program->tests[0].name, "DefaultImpl");
      continue;
    }
    ASSERT_EQ(compiled.problems.size(), 1U) << compiled.messages;
    EXPECT_EQ(compiled.problems[0].id, "E22");
    const std::string before = number == 19 ? "case a" : "a = b";
    EXPECT_EQ(compiled.problems[0].place.offset, text.find(before) + before.size() - 1);
  }
  EXPECT_EQ(count, 30);
}

}  // namespace
}  // namespace tarry::plang
