// A thread of the program. What a primitive keeps of each thread is defined beside the primitive (…_of_thread.h), and named here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "native/rt/base/attempts.h"
#include "native/rt/base/context.h"
#include "native/rt/base/operation.h"
#include "native/rt/base/pool.h"
#include "native/rt/calls/ignored_of_thread.h"
#include "native/rt/posix/cancel_of_thread.h"
#include "native/rt/posix/end_of_thread.h"
#include "native/rt/posix/locks_of_thread.h"
#include "native/rt/posix/signals_of_thread.h"
#include "native/rt/posix/wait_of_thread.h"
#include "native/rt/threads/await.h"
#include "native/rt/threads/spin.h"
#include "native/rt/threads/thread_identity.h"
#include "native/rt/time/time_of_thread.h"

namespace tarry::native::rt {

/// Number 0 is main's; numbers are never used twice in an execution. All zeros is a thread that is not used, so that the table of them takes no room in the file.
struct Thread {
  enum class State : std::uint8_t { kUnused, kAlive, kEnded, kJoined };

  Context context{.mxcsr = 0, .x87 = 0};  // set when it begins
  Borrowed* borrowed = nullptr;   // nullptr: main's own
  State state = State::kUnused;
  bool detached = false;
  bool of_runtime = false;        // not one of the program: that of its timers
  bool timed_out = false;         // the last point ended by its time-out
  bool yielded = false;           // in the step that it takes
  std::uint32_t steps = 0;        // that it has begun
  Operation pending;
  void* (*function)(void*) = nullptr;
  void* argument = nullptr;
  std::size_t stack_size = 0;     // that it asked for; 0: the usual
  char name[16] = {};

  SignalsOfThread signals;
  CancelOfThread cancel;
  WaitOfThread wait;
  LooksOfThread looks;
  Spin spin;
  Attempts attempts;
  TimeOfThread time;
  RandomOfThread random;
  HeldLocks locks;
  Ignored ignored;
  EndOfThread end;
  IdentityOfThread identity;

  bool cancel_due() const { return cancel.requested && !cancel.disabled && !end.exiting; }
  /// By a signal or a request to cancel it, not by what it waits for.
  bool woken_from_outside() const { return signals.due() || (pending.cancellable && cancel_due()); }

  /// As a whole, so that nothing of it can be left out.
  void clear() {
    Borrowed* const same = borrowed;
    *this = Thread{};
    borrowed = same;
  }
};

}  // namespace tarry::native::rt
