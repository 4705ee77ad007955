// A compiled model as a Program: the functions of its table behind the interfaces of core.
#pragma once

#include <memory>

#include "cppmodel/formula_program.h"

namespace tarry {

/// Requires: the table outlives the program, and has the version that was checked when it was loaded.
std::unique_ptr<LabelledProgram> make_model_program(const abi::Model& table);

}  // namespace tarry
