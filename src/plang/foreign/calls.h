// Which foreign functions a test may come to call.
#pragma once

#include <cstdint>
#include <vector>

#include "plang/code/bytecode.h"

namespace tarry::plang {

/// Numbers in Program::functions, ascending: those that are called in code of the test's monitors, of its main machine, or of a machine that one of
/// these can create.
std::vector<std::uint32_t> foreign_calls(const Code& code, const TestCase& test);

}  // namespace tarry::plang
