// Signals between threads.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>

#include "native/rt/base/operation.h"
#include "native/rt/threads/asked_of_primitives.h"

namespace tarry::native::rt {

/// What a handler is told beside the number of the signal: how it was sent (SI_USER, SI_TKILL, SI_QUEUE, SI_TIMER), and a value.
struct SignalDetails {
  int code;
  sigval value = {};
};

/// Sends a signal to the process or to one of its threads, by the numbers that the program knows (posix/identity.h). An error number, or 0.
int signal_process(int signal, std::uintptr_t pc, SignalDetails details = {SI_USER});
int signal_thread(pid_t thread, int signal, std::uintptr_t pc, SignalDetails details = {SI_TKILL});

// By the runtime itself, without a point: a timer has expired.
void give_to_process(int signal, SignalDetails details);
void give_to_thread(std::uint32_t thread, int signal, SignalDetails details);

/// The signal is ignored from now on: where it is pending, it is discarded.
void discard_pending(int signal);

/// The running thread has this mask while a call lasts (sigsuspend, ppoll). nullptr: it keeps its own.
class MaskDuringCall {
 public:
  explicit MaskDuringCall(const std::uint64_t* mask);
  ~MaskDuringCall();
  MaskDuringCall(const MaskDuringCall&) = delete;
  MaskDuringCall& operator=(const MaskDuringCall&) = delete;

  bool replaces() const { return replaces_; }
  /// Signals that only the call does not block (Operation::unblocks).
  std::uint64_t unblocks() const;

 private:
  bool replaces_;
  std::uint64_t before_ = 0;
};

/// The system call rt_sigprocmask by the running thread, which sigsetjmp and siglongjmp make inside of libc. Returns what the kernel would.
long change_mask_by_call(const long (&arguments)[6], std::uintptr_t pc);

}  // namespace tarry::native::rt
