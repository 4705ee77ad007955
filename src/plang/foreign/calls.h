// What a test may come to: foreign functions that it calls, assertions of its machines.
#pragma once

#include <cstdint>
#include <vector>

#include "plang/code/bytecode.h"

namespace tarry::plang {

/// Numbers in Program::functions, ascending: those that are called in code of the test's monitors, of its main machine, or of a machine that one of
/// these can create.
std::vector<std::uint32_t> foreign_calls(const Code& code, const TestCase& test);

/// How many `assert` statements there are in code of its main machine and of machines that this one or another can create.
std::size_t assertions_of_machines(const Code& code, const TestCase& test);

}  // namespace tarry::plang
