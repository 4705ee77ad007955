// The table of cases, every execution of each, by the reference interpreter.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/p_reference/cases.h"
#include "tests/support/p_reference/interpreter.h"
#include "tests/support/p_source.h"

namespace tarry::plang::reference {
namespace {

std::string outcomes_of(const Explored& all) {
  std::string out;
  for (const auto& [outcome, steps] : all.outcomes) out += (out.empty() ? "" : ",") + outcome;
  return out;
}

void expect(const Case& c) {
  SCOPED_TRACE(std::string(c.name) + "\n" + source_of(c));
  const Compiled compiled = testing_support::compile_text(source_of(c));
  ASSERT_NE(compiled.program, nullptr) << compiled.messages;
  const Explored all = explore_all(*compiled.program, compiled.program->tests.at(0), 1000);
  EXPECT_EQ(outcomes_of(all), c.outcome);
  for (const auto& [outcome, steps] : all.outcomes) {
    if (c.steps != 0) {
      EXPECT_EQ(steps, std::set<std::uint64_t>{c.steps}) << outcome;
    }
  }
}

TEST(Cases, Values) {
  for (const Case& c : value_cases()) expect(c);
}

TEST(Cases, Machines) {
  for (const Case& c : machine_cases()) expect(c);
}

}  // namespace
}  // namespace tarry::plang::reference
