// The litmus programs of the language reference: two have one error each, the others compile.
#include <gtest/gtest.h>

#include "tests/plang_sema/marked.h"

namespace tarry::plang {
namespace {

using testing_support::compile_text;
using testing_support::told;

TEST(Litmus, CompilesButForTwoPrograms) {
  for (int number = 1; number <= 30; ++number) {
    SCOPED_TRACE(number);
    const std::string text = testing_support::litmus_text(number);
    const Compiled compiled = compile_text(text);
    if (number != 19 && number != 20) {
      EXPECT_TRUE(compiled.problems.empty()) << compiled.messages;
      ASSERT_NE(compiled.program, nullptr);
      ASSERT_EQ(compiled.program->tests.size(), 1U);
      EXPECT_EQ(compiled.program->tests[0].name, "DefaultImpl");
      continue;
    }
    ASSERT_EQ(compiled.problems.size(), 1U) << compiled.messages;
    EXPECT_EQ(compiled.problems[0].id, "E22");
    const std::string before = number == 19 ? "case a" : "a = b";
    EXPECT_EQ(compiled.problems[0].place.offset, text.find(before) + before.size() - 1);
  }
}

}  // namespace
}  // namespace tarry::plang
