// Pipes, sockets and the like, by which threads of the program may meet: reading and writing are scheduling points, and what would block waits for
// its turn instead.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

bool is_channel(int descriptor);

// The system calls, by the running thread. Other descriptors just pass.
long receive(long number, const long (&arguments)[6], std::uintptr_t pc);
long send(long number, const long (&arguments)[6], std::uintptr_t pc);
/// poll, select and epoll_wait.
long wait_for_channels(long number, const long (&arguments)[6], std::uintptr_t pc);

}  // namespace tarry::native::rt
