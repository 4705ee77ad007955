// Checks of the parts, in one thread.
#pragma once

#include <string>

namespace kv {

/// The number of checks. Throws std::logic_error at the first that fails.
int selftest(const std::string& folder);

}  // namespace kv
