// What a test can reach: foreign functions that it calls, assertions of its machines.
#pragma once

#include <cstdint>
#include <vector>

#include "plang/code/bytecode.h"

namespace tarry::plang {

/// Returns indices into CheckedProgram::functions, in ascending order: the foreign functions called in the code of the test's monitors,
/// of its main machine, or of a machine that one of these can create.
std::vector<std::uint32_t> foreign_calls(const Code& code, const TestCase& test);

/// Returns the number of `assert` statements in the code of the main machine and of all machines that can be created.
std::size_t assertions_of_machines(const Code& code, const TestCase& test);

}  // namespace tarry::plang
