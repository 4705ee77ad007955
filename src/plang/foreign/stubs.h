// Generates a C++ file with stubs for the foreign functions of a P program.
#pragma once

#include <string>
#include <vector>

#include "plang/sema/checked_program.h"

namespace tarry::plang {

/// Returns the text of a file that compiles: each function has its C++ signature and throws until the user writes it. The types
/// that the functions use come before them. `file` is the name of the file, for messages. Requires: the functions are foreign.
std::string foreign_stubs(const std::vector<const Function*>& functions, const CheckedProgram& program, const std::string& file);

/// Returns the name for TARRY_FOREIGN: "Add", "Server.Pick".
std::string foreign_name(const Function& function);

}  // namespace tarry::plang
