// The litmus programs of section 9 of the language reference, every execution of each.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/support/p_reference/interpreter.h"
#include "tests/support/p_source.h"

namespace tarry::plang::reference {
namespace {

struct Litmus {
  int number;
  const char* outcome;  // of every execution
  std::uint64_t steps;  // of every execution; 0: the reference does not say
};

class LitmusProgram : public testing::TestWithParam<Litmus> {};

TEST_P(LitmusProgram, EndsAsStatedInEveryExecution) {
  const Litmus& litmus = GetParam();
  const Compiled compiled = testing_support::compile_text(testing_support::litmus_text(litmus.number));
  if (litmus.outcome[0] == 'E') {
    EXPECT_EQ(compiled.program, nullptr);
    ASSERT_EQ(compiled.problems.size(), 1u) << compiled.messages;
    EXPECT_EQ(compiled.problems[0].id, litmus.outcome);
    return;
  }
  ASSERT_NE(compiled.program, nullptr) << compiled.messages;
  ASSERT_EQ(compiled.program->tests.size(), 1u);
  const Explored all = explore_all(*compiled.program, compiled.program->tests[0], 1000);
  ASSERT_EQ(all.outcomes.size(), 1u);
  EXPECT_EQ(all.outcomes.begin()->first, litmus.outcome);
  if (litmus.steps != 0) {
    EXPECT_EQ(all.outcomes.begin()->second, std::set<std::uint64_t>{litmus.steps});
  }
}

constexpr Litmus kLitmus[] = {
    {1, "pass", 2}, {2, "pass", 2},  {3, "R11", 2},   {4, "R12", 2},   {5, "R01", 4},   {6, "pass", 6},
    {7, "pass", 2}, {8, "pass", 6},  {9, "pass", 8},  {10, "R08", 2},  {11, "pass", 3}, {12, "R09", 2},
    {13, "R01", 3}, {14, "pass", 2}, {15, "R12", 4},  {16, "pass", 2}, {17, "pass", 2}, {18, "pass", 8},
    {19, "E22", 0}, {20, "E22", 0},  {21, "pass", 6}, {22, "pass", 4}, {23, "pass", 6}, {24, "pass", 4},
    {25, "R07", 0}, {26, "pass", 4}, {27, "pass", 6}, {28, "pass", 2}, {29, "R11", 2},  {30, "pass", 2},
};
INSTANTIATE_TEST_SUITE_P(, LitmusProgram, testing::ValuesIn(kLitmus),
                         [](const auto& each) { return std::to_string(each.param.number); });

}  // namespace
}  // namespace tarry::plang::reference
