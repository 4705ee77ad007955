// A C++ file with the foreign functions of a P program, to be filled in.
#pragma once

#include <string>
#include <vector>

#include "plang/sema/program.h"

namespace tarry::plang {

/// Returns the text of a file that compiles: each function has its signature in C++ and throws until it is written. Types that the
/// functions use come before them. `file`: what the file will be called, for messages. Requires: the functions are foreign.
std::string foreign_stubs(const std::vector<const Function*>& functions, const Program& program, const std::string& file);

/// The name that TARRY_FOREIGN gives to it: "Add", "Server.Pick".
std::string foreign_name(const Function& function);

}  // namespace tarry::plang
