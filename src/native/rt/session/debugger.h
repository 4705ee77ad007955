// For `tarry replay --gdb`: the program stops where it fails, with all threads where src/native/driver/gdb.py finds them.
//
// The thread that fails stops by itself, so that its registers are those of that moment. Where no thread does (no thread can run, or the
// schedule is at its end), the engine stops and says whose turn it was.
#pragma once

#include <cstdint>

#include "native/abi/messages.h"
#include "native/rt/threads/asked_of_primitives.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// Before the execution.
void debug(const Pause& pause);
/// By the engine, after the execution, unless something stopped before. `thread` is the one to look at.
void stop_at_end(std::uint32_t thread);

}  // namespace tarry::native::rt
