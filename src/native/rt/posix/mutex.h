// What other primitives need of mutexes: condition variables release and take them.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "native/rt/operation.h"

/// Where the program called a function that is taken over.
#define TARRY_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1

namespace tarry::native::rt {

/// The operation of waiting for the mutex.
Operation locking(Op op, const pthread_mutex_t* mutex, std::uintptr_t pc, bool timed);
int lock_mutex(pthread_mutex_t* mutex, std::uintptr_t pc, bool timed);
int unlock_mutex(pthread_mutex_t* mutex, std::uintptr_t pc);

// Without a point: within an operation of another kind.
void release_mutex(pthread_mutex_t* mutex);
void reacquire_mutex(pthread_mutex_t* mutex);
bool mutex_is_free(const pthread_mutex_t* mutex);

}  // namespace tarry::native::rt
