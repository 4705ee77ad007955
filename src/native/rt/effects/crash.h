// Signals that mean that the program crashed, and the fault by which a page becomes hot.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

void handle_crashes();

/// Signals that the runtime needs itself; what the program wants with them is asked when they come.
bool needed_for_crashes(int signal);

}  // namespace tarry::native::rt
