// The litmus programs and the table of cases, every execution of each, by the machine that searches run: with all scheduling points and with those that
// are needed.
#include <gtest/gtest.h>

#include "tests/support/p_reference/cases.h"
#include "tests/support/p_vm.h"

namespace tarry::plang {
namespace {

using namespace testing_vm;

struct Litmus {
  int number;
  const char* outcome;
  std::uint64_t steps;  // 0: the reference does not say
};

class VmLitmus : public testing::TestWithParam<Litmus> {};

TEST_P(VmLitmus, EndsAsStatedInEveryExecution) {
  const Litmus& litmus = GetParam();
  const Ready ready = make_ready(testing_support::litmus_text(litmus.number));
  for (const Points points : {Points::kAll, Points::kNeeded}) {
    const Endings all = all_endings(ready, points);
    ASSERT_EQ(text_of_outcomes(all.outcomes), litmus.outcome) << (points == Points::kAll);
    if (litmus.steps != 0) {
      EXPECT_EQ(all.outcomes.begin()->second, std::set<std::uint64_t>{litmus.steps}) << (points == Points::kAll);
    }
  }
}

constexpr Litmus kLitmus[] = {
    {1, "pass", 2},  {2, "pass", 2},  {3, "R11", 2},   {4, "R12", 2},   {5, "R01", 4},   {6, "pass", 6},  {7, "pass", 2},
    {8, "pass", 6},  {9, "pass", 8},  {10, "R08", 2},  {11, "pass", 3}, {12, "R09", 2},  {13, "R01", 3},  {14, "pass", 2},
    {15, "R12", 4},  {16, "pass", 2}, {17, "pass", 2}, {18, "pass", 8}, {21, "pass", 6}, {22, "pass", 4}, {23, "pass", 6},
    {24, "pass", 4}, {25, "R07", 0},  {26, "pass", 4}, {27, "pass", 6}, {28, "pass", 2}, {29, "R11", 2},  {30, "pass", 2},
};
INSTANTIATE_TEST_SUITE_P(, VmLitmus, testing::ValuesIn(kLitmus), [](const auto& each) { return std::to_string(each.param.number); });

void expect(const reference::Case& c) {
  SCOPED_TRACE(std::string(c.name) + "\n" + reference::source_of(c));
  const Ready ready = make_ready(reference::source_of(c));
  for (const Points points : {Points::kAll, Points::kNeeded}) {
    const Endings all = all_endings(ready, points);
    EXPECT_EQ(text_of_outcomes(all.outcomes), c.outcome) << (points == Points::kAll);
    if (c.steps == 0) continue;
    for (const auto& [outcome, steps] : all.outcomes) {
      EXPECT_EQ(steps, std::set<std::uint64_t>{c.steps}) << outcome << " " << (points == Points::kAll);
    }
  }
}

TEST(VmCases, Values) {
  for (const reference::Case& c : reference::value_cases()) expect(c);
}

TEST(VmCases, Machines) {
  for (const reference::Case& c : reference::machine_cases()) expect(c);
}

}  // namespace
}  // namespace tarry::plang
