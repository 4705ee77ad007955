// Plain accesses behind flags: what 'tarry c++ --enforce' compiles them to (native/pass).
#pragma once

#include <vector>

namespace tarry::native::rt {

/// Returns the flags of accesses that are points because they race, each once, sorted.
std::vector<const unsigned char*> racing_sites();

}  // namespace tarry::native::rt
