// Which system calls are cancellation points: the calls that glibc makes within its SYSCALL_CANCEL, from any function (`fgets` calls `read`).
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// The system call at this place, an instruction of libc, is a cancellation point.
bool is_cancelled_by_libc(long number, const long (&arguments)[6], std::uintptr_t pc);

}  // namespace tarry::native::rt
