// What the program wants to happen when a signal comes. Kept in the program's memory, so that it is reset with it; the kernel is told only where
// signals can come from outside: in a process of its own.
#pragma once

#include <signal.h>

#include <cstdint>

#include "native/rt/base/outside_signals.h"
#include "native/rt/threads/asked_of_primitives.h"

namespace tarry::native::rt {

inline constexpr int kSignals = 65;

/// Before the baseline; what the program inherited or set in constructors is kept.
void make_actions();

/// As the program set it.
struct sigaction& action_of(int signal);

/// The system call.
long change_action(const long (&arguments)[6]);

/// What the signal does where the program has no handler: whether that is an end. One that stops the process is taken to be followed by SIGCONT at once.
bool ends_by_default(int signal);

/// sigaltstack by the running thread, whose stack pointer is `stack`: an error number, or 0.
int change_alternate_stack(const stack_t* wanted, stack_t* before, const void* stack);
/// Whether `stack` lies on the alternate stack of the running thread.
bool on_alternate_stack(const void* stack);
/// The top of the alternate stack, if the handler of the signal is to run there, for a thread whose stack pointer is `stack`; nullptr: it runs where it is.
void* stack_for_handler(int signal, const void* stack);

/// Calls the program's handler. On the stack that is running, or on the alternate one.
void call_handler(int signal, siginfo_t* info, void* context);

}  // namespace tarry::native::rt
