// Nested depth-first search by as many workers as the options say.
#pragma once

#include <cstdint>
#include <functional>

#include "core/search.h"

namespace tarry {

/// Walks what costs at most a bound, from the start. Returns true if there is more that costs more. A cycle is reported, and ends
/// the search.
using RunNested = std::function<bool(std::uint64_t bound)>;

/// Calls `walk` with a nested search of the program, and fills the session's outcome. `bound`: what it bounds; empty: nothing.
void walk_nested(Session& session, Bound bound, const std::function<void(const RunNested&)>& walk);

}  // namespace tarry
