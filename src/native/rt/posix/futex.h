// The futex system calls, for programs that make them themselves.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// As the kernel answers: a number, or minus an error number. In the program only.
long futex(const long (&arguments)[6], std::uintptr_t pc);
/// futex_waitv.
long futex_wait_any(const long (&arguments)[6], std::uintptr_t pc);

}  // namespace tarry::native::rt
