// Timers of the program: alarm, setitimer(ITIMER_REAL), timer_create and timerfd, in virtual time.
//
// A timer that is set may expire whenever the search says so, as the time of a timed wait may be out at any moment. Expiry is a step of a thread
// that the runtime adds when the first timer is set ("timer" in traces), and a yield. It sends a signal, or writes to the descriptor: that of a
// timerfd is an eventfd. Whoever takes the signal or reads is not earlier from then on than the timer's time.
//
// Time demands two things. A thread whose own clock passes the time of a timer that it has set finds it expired. And of two timers the one comes
// first that must, however long threads are held up in between (`comes_before`). What is left open is explored.
//
// A periodic timer expires again only after its last expiry was taken, and by a thread that has gone on since or waits, so that executions end:
// expiries that nobody took are not counted. Two times at most periodic timers expire again while another could expire.
#pragma once

#include <cstdint>

#include "native/rt/base/operation.h"
#include "native/rt/threads/asked_of_primitives.h"

namespace tarry::native::rt {

/// Before the baseline: timers lie in the program's memory, and are reset with it.
void make_timers();

/// A system call on timers, by the running thread.
long call_timers(long number, const long (&arguments)[6], std::uintptr_t pc);

// Descriptors.
void closes_descriptor(int descriptor);
void copies_descriptor(int descriptor);
/// The running thread has read it.
void has_read(int descriptor);
/// The running thread has waited for descriptors.
void has_seen_descriptors();

/// The running thread handles the signal, which may be that of a timer.
void has_signal(int signal);
/// The running thread's time has passed: what must have expired by then does.
void expire_passed();
/// The thread of the operation may sleep until TimeOfThread::wakes_at: no timer has to expire before. For Operation::ready and may_expire.
bool sleeps_undisturbed(const Operation& operation);

}  // namespace tarry::native::rt
