// Signals between threads.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>

#include "native/rt/operation.h"

namespace tarry::native::rt {

enum class Handled { kIgnored, kRestart, kInterrupt };

/// Runs the handlers of the signals that are due for the running thread, and says what they mean for the call that it is in.
Handled handle_signals();
/// A signal is due for the running thread: whether it comes behind this operation, which the thread is about to perform, as the search says.
bool comes_later(const Operation& operation);

/// Sends a signal to the process or to one of its threads, by the numbers that the program knows (posix/identity.h). An error number, or 0.
int signal_process(int signal, std::uintptr_t pc, sigval value = {});
int signal_thread(pid_t thread, int signal, std::uintptr_t pc, sigval value = {});

// By the runtime itself, without a point: a timer has expired.
void give_to_process(int signal, sigval value);
void give_to_thread(std::uint32_t thread, int signal, sigval value);

}  // namespace tarry::native::rt
