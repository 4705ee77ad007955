// Nobody can run: who waits for what.
#pragma once

#include <string>

#include "native/rt/scheduler.h"

namespace tarry::native::rt {

/// "waits for a mutex that thread 2 has locked".
std::string waits_for(const Thread& thread);

Failure deadlock();

}  // namespace tarry::native::rt
