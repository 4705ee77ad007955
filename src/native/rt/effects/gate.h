// Every system call that the program makes, from whatever library or instruction, comes by here (Syscall User Dispatch, Linux 5.11).
//
// The kernel sends SIGSYS instead of doing what it was asked for, on the stack of the thread that asked. What has an effect that outlasts the
// execution is written down so that it can be undone, or is done in a process of its own only; what would block lets other threads run; and memory that the
// kernel is to write to is made writable first.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// On the controlling kernel thread. False: this kernel has no such thing, and effects are not undone.
bool close_gate();
bool gate_is_closed();

/// While it lives, system calls of libraries go straight to the kernel: for the engine's work that makes many.
class OpenGate {
 public:
  OpenGate();
  ~OpenGate();
  OpenGate(const OpenGate&) = delete;
  OpenGate& operator=(const OpenGate&) = delete;

 private:
  char before_;
};

/// A system call of the running thread of the program. As the kernel answers: a number, or minus an error number.
long perform(long number, const long (&arguments)[6], std::uintptr_t pc);

/// Puts everything outside of memory back as it was at the baseline.
void remember_outside();
void undo_outside();

}  // namespace tarry::native::rt
