// Executions in the orders that the program takes by itself: runs without control were recorded, and are followed here before the search begins. What is
// admitted is the execution that was checked, so a record need not be exact.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program.h"
#include "core/search.h"

namespace tarry::native::rt {

/// Executes the program once for every recorded run (RunOptions::recorded). Failures are findings of the session.
void follow_recorded(const std::vector<std::vector<std::int64_t>>& runs, const Program& program, Session& session);

}  // namespace tarry::native::rt
