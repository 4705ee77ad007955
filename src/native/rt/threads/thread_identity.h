// Identities of ended threads. On a real system a new thread may get the stack of a thread that has ended, and with it its pthread_t, its
// std::thread::id and the addresses of its variables. A program that compares these may take the new thread for the old one. Here no two threads of an
// execution have the same identity. If a program could notice that, the verdict says so.
//
// A program can notice it if two things are true: the identity of one of the two threads is known (the thread asked for it, or a thread found an address
// of its stack in memory that others change), and the new thread may be created after the old one was joined, or ended detached, in some order of
// the steps of this execution.
#pragma once

#include <cstdint>

#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

/// What is kept of each thread.
struct IdentityOfThread {
  bool known = false;
  std::uint32_t creator = 0;
  std::uint32_t releaser = 0;   // the thread that joined it; itself if it was detached
  std::uint32_t seen_then = 0;  // threads that there were when it was released; 0: it was not released
};

struct ThreadIdentities {
  std::uintptr_t low = 0, high = 0;  // the stacks of all threads but main's lie in this range
  bool any_known = false;            // in this execution

  void reset() { any_known = false; }
};

/// Adds a stack of the pool to the range.
void stack_lies_within(std::uintptr_t low, std::uintptr_t high);
/// The running thread has joined this thread, or has ended detached.
void identity_is_free(std::uint32_t thread);
/// The program knows the identity of the running thread.
void identity_is_known();
/// The program has a value from memory that others change, and it may be the address of something on a stack.
void value_may_be_on_stack(std::uintptr_t value);
/// At the end of an execution. Says in the verdict that a thread could have got the identity of another one, if that is so.
void admit_kept_identities();

inline bool may_be_on_stack(std::uintptr_t address) {
  const ThreadIdentities& identities = part<ThreadIdentities>();
  return address - identities.low < identities.high - identities.low;
}

}  // namespace tarry::native::rt
