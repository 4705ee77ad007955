// Semaphores of System V: what would block waits for its turn instead. They are the kernel's, so each execution has a process of its own.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// semop and semtimedop, by the running thread.
long change_semaphores(long number, const long (&arguments)[6], std::uintptr_t pc);

/// msgsnd and msgrcv.
long exchange_message(long number, const long (&arguments)[6], std::uintptr_t pc);
/// semctl and msgctl; their point is behind them.
long control_by_number(long number, const long (&arguments)[6]);

}  // namespace tarry::native::rt
