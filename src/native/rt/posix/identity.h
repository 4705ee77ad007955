// Identifiers that the program sees: the process's, and from there on one for each thread.
#pragma once

#include <sys/types.h>

namespace tarry::native::rt {

/// No process of the system has such a number: those end at 2^22.
constexpr pid_t kProcess = 5'000'000;

pid_t process_id();
/// Of the process that started the program.
pid_t parent_id();
/// Of the running thread.
pid_t thread_id();

}  // namespace tarry::native::rt
