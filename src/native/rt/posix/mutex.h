// What other primitives need of mutexes: condition variables release and take them, C11 has its own names for all.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "native/rt/base/operation.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/asked_of_primitives.h"
#include "native/rt/time/clock.h"

namespace tarry::native::rt {

/// `deadline`: nullptr if it waits for ever.
int lock_mutex(pthread_mutex_t* mutex, std::uintptr_t pc, const Deadline* deadline = nullptr);
int try_lock_mutex(pthread_mutex_t* mutex, std::uintptr_t pc);
int unlock_mutex(pthread_mutex_t* mutex, std::uintptr_t pc);
void make_mutex(pthread_mutex_t* mutex, int kind, std::uintptr_t pc);
void destroy_mutex(pthread_mutex_t* mutex, std::uintptr_t pc);

// Without a point: within an operation of another kind.
bool mutex_is_mine(const pthread_mutex_t* mutex);
std::uint32_t mutex_holder(const pthread_mutex_t* mutex);
/// Returns how often it had been locked.
std::uint32_t release_mutex(pthread_mutex_t* mutex);
/// 0, EOWNERDEAD or ENOTRECOVERABLE.
int take_mutex(pthread_mutex_t* mutex, std::uint32_t depth = 1);

/// The running thread has come to its end: others find that the owner of its robust mutexes is dead.
void abandon_robust_mutexes();

}  // namespace tarry::native::rt
