// Checks of the parts, most of them in one thread.
#pragma once

namespace pipeline {

/// The number of checks. Throws std::logic_error at the first that fails.
int selftest();

}  // namespace pipeline
