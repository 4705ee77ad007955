// Locks with priority inheritance, as the futex system call has them. All answer as the kernel does.
#pragma once

#include <cstdint>

#include "native/rt/time/clock.h"

namespace tarry::native::rt {

long lock_pi(std::uint32_t* word, const Deadline* deadline, std::uintptr_t pc);
long try_lock_pi(std::uint32_t* word, std::uintptr_t pc);
long unlock_pi(std::uint32_t* word, std::uintptr_t pc);

/// A condition variable's wait: at `word`, until it is moved to the lock and gets that.
long wait_requeue_pi(std::uint32_t* word, std::uint32_t expected, std::uint32_t* lock, const Deadline* deadline, std::uintptr_t pc);
long requeue_pi(std::uint32_t* word, std::uint32_t* lock, std::uint32_t wakes, std::uint32_t moves, std::uint32_t expected, std::uintptr_t pc);

/// The running thread has come to its end: its locks go to the threads that wait for them, marked with FUTEX_OWNER_DIED.
void abandon_pi_locks();

/// Someone waits there for a lock, or to be moved to one: not for FUTEX_WAKE.
bool waits_for_lock(const std::uint32_t* word);

}  // namespace tarry::native::rt
