// Situations that the program says it came to (tarry::cover). All executions of a search count, those too that end early because what follows is
// known, so this is coverage: what was there at all, not how often.
#pragma once

#include <string>
#include <vector>

namespace tarry::native::rt {

/// The running thread is in the situation that the text names.
void cover(const char* text);
/// Every text once, sorted.
std::vector<std::string> covered();

}  // namespace tarry::native::rt
