// Switching between threads in user mode: stack pointer, thread pointer, callee-saved registers and floating-point control.
//
// Every thread of the program is a *borrowed* pthread: glibc made it, with its stack and its thread-local storage, and its kernel thread
// sleeps for ever; the one controlling kernel thread puts on its registers. So errno, thread_local, pthread_self and stack protectors are the
// thread's own, at 8 ns a switch (docs/architecture.md).
#pragma once

#include <cstdint>

namespace tarry::native::rt {

struct Context {
  void* stack = nullptr;      // what was pushed by the switch lies there
  std::uint64_t thread = 0;   // fs base
};

/// Saves the running context to `from` and goes on in `to`.
void switch_context(Context* from, const Context* to);

/// For a kernel thread that is borrowed: saves its context, sets *ready to 1, and sleeps for ever without touching its stack.
extern "C" void tarry_rt_park(Context* context, int* ready);

/// False on machines where the thread pointer can only be set by a system call; switching then costs ten times as much.
bool has_fsgsbase();

}  // namespace tarry::native::rt
