// Threads, for the names that C11 has for them.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "native/rt/time/clock.h"

namespace tarry::native::rt {

/// An error number, or 0.
int create_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*function)(void*), void* argument, std::uintptr_t pc);
/// `deadline`: nullptr if it waits for ever.
int join_thread(pthread_t handle, void** result, std::uintptr_t pc, const Deadline* deadline = nullptr);
int detach_thread(pthread_t handle);
void yield(std::uintptr_t pc);

}  // namespace tarry::native::rt
