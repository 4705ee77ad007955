// Condition variables, for the names that C11 has for them.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "native/rt/time/clock.h"

namespace tarry::native::rt {

/// `deadline`: nullptr if it waits for ever.
int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, std::uintptr_t pc, const Deadline* deadline = nullptr);
void signal_condition(pthread_cond_t* condition, std::uintptr_t pc);
void broadcast_condition(pthread_cond_t* condition, std::uintptr_t pc);
void make_condition(pthread_cond_t* condition, clockid_t clock, std::uintptr_t pc);
void destroy_condition(pthread_cond_t* condition, std::uintptr_t pc);

}  // namespace tarry::native::rt
