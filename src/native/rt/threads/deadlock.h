// Deadlocks: no thread can run, or some threads wait for each other in a circle. Describes what each thread waits for.
#pragma once

#include <string>

#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// "waits for the mutex {0} that thread 2 has locked"; {0} is the first of `places`.
std::string waits_for(const Thread& thread, std::vector<std::uintptr_t>& places);

Failure deadlock();

/// Does the thread wait for one that waits for … it? None of them can ever go on then, whatever the others do.
bool is_in_circle(std::uint32_t thread);
Failure circular_deadlock(std::uint32_t thread);

}  // namespace tarry::native::rt
