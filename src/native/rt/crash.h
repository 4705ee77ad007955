// Signals that mean that the program crashed, and the fault by which a page becomes hot.
#pragma once

namespace tarry::native::rt {

void handle_crashes();

}  // namespace tarry::native::rt
