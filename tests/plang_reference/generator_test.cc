// Random programs: all of them compile, and what comes of them is a good mixture.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "tests/support/p_reference/choosers.h"
#include "tests/support/p_reference/generator.h"
#include "tests/support/p_reference/interpreter.h"
#include "tests/support/p_source.h"

namespace tarry::plang::reference {
namespace {

constexpr std::uint64_t kSeeds = 2000;
constexpr std::uint64_t kRuns = 3;
constexpr std::uint64_t kMaxSteps = 200;

struct Survey {
  std::map<std::string, std::uint64_t> outcomes;
  std::uint64_t runs = 0;
  std::uint64_t long_runs = 0;  // of 10 steps and more
};

Survey survey() {
  Survey out;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::string source = random_p_program(seed);
    const Compiled compiled = testing_support::compile_text(source);
    EXPECT_NE(compiled.program, nullptr) << "seed " << seed << "\n" << compiled.messages << source;
    if (compiled.program == nullptr) break;
    for (std::uint64_t run_number = 0; run_number < kRuns; ++run_number) {
      RandomChooser chooser(seed, run_number);
      const RunResult result = run(*compiled.program, compiled.program->tests[0], chooser, kMaxSteps);
      EXPECT_EQ(result.steps, result.decisions.size());
      ReplayChooser again(result.decisions);
      EXPECT_EQ(run(*compiled.program, compiled.program->tests[0], again, kMaxSteps).log, result.log);
      ++out.outcomes[result.outcome()];
      ++out.runs;
      if (result.steps >= 10) ++out.long_runs;
    }
  }
  return out;
}

TEST(Generator, ProgramsCompileAndEndInEveryWay) {
  const Survey seen = survey();
  for (const auto& [outcome, runs] : seen.outcomes) std::cout << outcome << ": " << runs << " of " << seen.runs << "\n";
  std::cout << "at least 10 steps: " << seen.long_runs << "\n";
  EXPECT_GT(seen.long_runs, seen.runs / 2);
  for (const char* outcome : {"pass", "cut", "R01", "R02", "R03", "R04", "R05", "R06", "R07", "R08",
                              "R09",  "R11", "R12", "R13", "R14", "R15", "R16", "R18", "R20", "R23"}) {
    EXPECT_GT(seen.outcomes.count(outcome), 0u) << outcome;
  }
}

TEST(Generator, IsAFunctionOfTheSeed) {
  EXPECT_EQ(random_p_program(7), random_p_program(7));
  EXPECT_NE(random_p_program(7), random_p_program(8));
}

}  // namespace
}  // namespace tarry::plang::reference
