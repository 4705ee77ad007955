// System calls by number.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// Of the running thread of the program: where threads meet, and what is virtual; the rest is the gate's (effects/gate.h).
/// As the kernel answers: a number, or minus an error number.
long system_call(long number, const long (&arguments)[6], std::uintptr_t pc);

}  // namespace tarry::native::rt
