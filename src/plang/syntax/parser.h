// From text to tree.
#pragma once

#include "plang/syntax/ast.h"
#include "plang/syntax/diagnostics.h"

namespace tarry::plang {

/// Parses every file of `sources`, in order. Problems go to `diagnostics`: at most one syntax error a file, at its first bad token.
/// The tree is whole only if nothing was reported.
SyntaxTree parse(const Sources& sources, Diagnostics& diagnostics);

}  // namespace tarry::plang
