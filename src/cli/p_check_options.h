// Options of `p check`, P's own checker: those that mean something here, and what to say about the others.
#pragma once

#include "base/result.h"
#include "cli/command_line.h"

namespace tarry::cli {

/// Rewrites options of `p check` to ours. A diagnostic names the first one that has no counterpart, and what comes nearest to it.
Result<Arguments> from_p_check(const Arguments& arguments);

}  // namespace tarry::cli
