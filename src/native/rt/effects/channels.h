// Pipes, sockets and the like, by which threads of the program may meet: reading and writing are scheduling points, and what would block waits for
// its turn instead.
#pragma once

#include <cstdint>

#include "native/rt/base/shared_things.h"

namespace tarry::native::rt {

bool is_channel(int descriptor);
bool can_receive(int descriptor);

/// The running thread is about to close the descriptor: what it did before happens before the end that others find.
void closes_channel(int descriptor);
/// shutdown, bind, listen and epoll_ctl; their point is behind them.
long change_channel(long number, const long (&arguments)[6]);

/// A kernel object changed: threads that wait for a channel check again.
void channels_change();
/// How often that came; never 0.
std::uint32_t changes_so_far();

// The system calls, by the running thread. Other descriptors just pass. None blocks in the kernel: what cannot be done at once is tried again
// after a channel has changed. Limits of time (SO_RCVTIMEO, SO_SNDTIMEO) are virtual. `tries`: the call never waits.
long receive(long number, const long (&arguments)[6], std::uintptr_t pc, bool tries = false);
long send(long number, const long (&arguments)[6], std::uintptr_t pc, bool tries = false);
/// splice, tee and vmsplice.
long move_data(long number, const long (&arguments)[6], std::uintptr_t pc);
long connect_channel(const long (&arguments)[6], std::uintptr_t pc);
/// ioctl: how much there is to read or to be sent, and whether the descriptor blocks. All else just passes.
long control_channel(const long (&arguments)[6], std::uintptr_t pc);
/// poll, select and epoll_wait.
long wait_for_channels(long number, const long (&arguments)[6], std::uintptr_t pc);

}  // namespace tarry::native::rt
