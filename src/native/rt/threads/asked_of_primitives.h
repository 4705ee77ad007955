// What the threads ask of the primitives, which are a layer above and define it.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "native/rt/base/operation.h"

namespace tarry::native::rt {

struct Failure;
struct Thread;

// Signals (posix/signal.cc, effects/actions.cc, crash.cc).
enum class Handled { kIgnored, kRestart, kInterrupt };
/// Runs the handlers of the signals that are due for the running thread, and says what they mean for the call that it is in.
Handled handle_signals();
/// Those that really came, from outside, in the thread that runs.
void handle_those_that_came();
/// A signal is due for the running thread: whether it comes behind this operation, which the thread is about to perform, as the search says.
bool comes_later(const Operation& operation);
bool has_handler(int signal);
/// Has the program set a handler in this execution, of a signal that threads may send each other?
bool handles_signals();
/// Whether the byte can be read, or written, as its page is now: without a signal.
bool can_access(std::uintptr_t address, bool write);

// Timers (time/timers.cc).
/// Some timer has been set in this execution.
bool uses_timers();
/// The running thread goes on behind handlers.
void has_gone_on();

// Mutexes (posix/mutex.cc).
/// Without a point: within an operation of another kind.
bool mutex_is_free(const pthread_mutex_t* mutex);

// Before main (posix/before_main.cc).
/// Ends the process with a message: no thread can change what the constructor waits for.
[[noreturn]] void waits_for_ever_before_main(bool made_threads);
/// The kernel's mask of the calling thread.
std::uint64_t blocked_in_kernel();
/// When main starts: its thread has the mask, the pending signals, the cancellation state and the name that the constructors left. From then on the
/// kernel thread blocks nothing and has nothing pending.
void take_over_state(Thread& main);

// Ends (exit.cc, posix/cancel.cc, debugger.cc).
/// The running thread ends here if that was requested.
void cancel_if_due();
/// thread_local objects and the values of keys, of the running thread.
void run_thread_destructors();
/// Destructors of main's thread_local objects that there are at the baseline are there at the start of every execution.
void remember_thread_destructors();
/// exit(code) by the running thread: its destructors, the handlers, the libraries', open streams; ends the execution.
[[noreturn]] void end_program(int code);
/// By the running thread, which has failed: stops for gdb if that is what was asked for.
void stop_where_it_failed(const Failure& failure);

}  // namespace tarry::native::rt
