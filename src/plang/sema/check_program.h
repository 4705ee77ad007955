// Static semantics: turns the tree into a checked program. Implements every rule E03 … E65 of the language.
#pragma once

#include "plang/sema/checked_program.h"

namespace tarry::plang {

/// Fills in `program`, which has sources and tree, and reports errors. Requires: the tree is complete.
void check(CheckedProgram& program, Diagnostics& diagnostics);

}  // namespace tarry::plang
