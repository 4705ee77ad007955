// System calls by number.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

// As the kernel answers: a number, or minus an error number.

/// By the running thread of the program: modelled where it must be.
long system_call(long number, const long (&arguments)[6], std::uintptr_t pc);
/// As it is.
long raw_system_call(long number, const long (&arguments)[6]);

}  // namespace tarry::native::rt
