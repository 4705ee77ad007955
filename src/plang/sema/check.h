// Static semantics: from the tree to a checked program. Every rule E03 … E65 of the language.
#pragma once

#include "plang/sema/program.h"

namespace tarry::plang {

/// Fills in `program` (whose sources and tree are there) and reports what is wrong. Requires: the tree is whole.
void check(Program& program, Diagnostics& diagnostics);

}  // namespace tarry::plang
