// Parameterised tests: the combinations of values that a test runs with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plang/sema/sema_context.h"

namespace tarry::plang {

struct TestInstance {
  std::string name;
  std::vector<std::optional<std::int64_t>> params;  // as TestCase::params
};

/// Returns the instances of a test in the order in which they are made (a test without params is its only instance), or nothing
/// after an error. Reports E05, E09, E22, E64, E65, W4.
std::optional<std::vector<TestInstance>> instances_of(SemaContext& context, const TestDecl& test);

/// Returns whether the assumption is well formed. `listed` gives, by index of CheckedProgram::params, the place in the list of the test,
/// or -1. Fills in the types and variables of its expressions. Reports E05, E07, E22.
bool check_assumption(SemaContext& context, Expr& assume, const std::vector<std::int32_t>& listed);
struct AssumptionFailure {
  Place place;
  std::string text;
};
/// Returns whether the assumption holds for these values. Ints have 32 bits; `&&` and `||` evaluate both sides.
bool assumption_holds(const Expr& assume, const std::vector<std::int32_t>& listed, const std::vector<std::int64_t>& values,
                      std::optional<AssumptionFailure>& failure);
std::uint64_t nodes_of(const Expr& expr);

/// Chooses candidates so that every combination of values of every `strength` params that some candidate has is in a chosen
/// candidate. Combinations are numbered with the first param varying fastest. Each next candidate adds the most
/// missing combinations; the first such candidate is taken. Requires: strength < sizes.size(), and cover_work() is moderate.
std::vector<std::uint32_t> cover(const std::vector<std::uint32_t>& candidates, const std::vector<std::uint32_t>& sizes,
                                 std::uint32_t strength);
/// Returns the number of steps that cover() takes; stops at 2^32.
std::uint64_t cover_work(std::uint64_t candidates, std::uint64_t params, std::uint64_t strength);

}  // namespace tarry::plang
