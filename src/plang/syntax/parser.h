// Parses text into a tree.
#pragma once

#include "plang/syntax/ast.h"
#include "plang/syntax/diagnostics.h"

namespace tarry::plang {

/// Parses every file of `sources`, in order. Reports problems to `diagnostics`: at most one syntax error per file, at its first
/// bad token. The tree is complete only if nothing was reported.
SyntaxTree parse(const Sources& sources, Diagnostics& diagnostics);

}  // namespace tarry::plang
