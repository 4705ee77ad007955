// For `tarry replay --gdb`: leaves all threads where src/native/driver/gdb.py finds them, and stops.
#pragma once

namespace tarry::native::rt {

void stop_for_debugger();

}  // namespace tarry::native::rt
