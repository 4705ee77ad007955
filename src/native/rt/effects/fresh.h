// A process of its own for every execution, for programs that do what cannot be undone in the same process.
//
// The engine's memory (its heap, the runtime's own variables, the controller's stack) becomes shared; the program's stays private and as it was at
// the baseline. For each execution the session's process forks; the child runs it, the engine with it, and puts the controller's
// registers into shared memory at its end; the waiting parent puts them on and is then where the child was, with the program's memory as at the
// baseline. What an execution did to its process is gone with it. If the child dies in the middle of the program, the parent goes on
// from where the controller had given it the turn, and that is how the execution ended.
//
// Invariant: of parent and child one runs, the other waits or is gone.
#pragma once

#include <string>

namespace tarry::native::rt::fresh {

/// By the running thread, ahead of something that cannot be undone: begins the execution again in a process of its own.
/// Returns if it has one already.
void need(const char* why);

/// There will be one execution only: it may do what it likes in this process.
void allow_all();

bool all_allowed();

bool wanted();
bool on();
/// Why, for the user; empty if it is off.
std::string reason();

/// On the controller's stack, the program's memory being as at the baseline.
void turn_on(const char* why = nullptr);

/// Around every execution. No-ops while it is off.
void enter();
void leave();

/// In a process that the program forked: parts with the engine's memory, so that what happens here is not seen by the engine.
void part();

}  // namespace tarry::native::rt::fresh
