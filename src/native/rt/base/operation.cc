#include "native/rt/base/operation.h"

#include <array>

namespace tarry::native::rt {

const char* name_of(Op op) {
  static constexpr std::array<const char*, static_cast<std::size_t>(Op::kCount)> kNames = {
      "nothing", "start", "end", "exit", "create thread", "join", "detach", "yield", "sleep", "choose",
      "lock", "try to lock", "lock with time-out", "unlock",
      "lock (spinning)", "try to lock (spinning)", "unlock (spinning)",
      "wait", "wake up", "signal", "broadcast",
      "read-lock", "try to read-lock", "read-lock with time-out", "write-lock", "try to write-lock", "write-lock with time-out", "unlock",
      "arrive at barrier", "leave barrier",
      "wait for semaphore", "try semaphore", "wait for semaphore with time-out", "post semaphore", "read semaphore",
      "call once", "called once", "initialize static", "static initialized",
      "futex wait", "futex wake", "futex woken",
      "load", "store", "exchange", "read-modify-write", "compare-exchange", "fence",
      "read", "write",
      "cancel", "send signal", "handle signal", "destroy", "initialize", "wait for a signal",
      "receive from", "send to", "wait for descriptors", "access files", "fork", "set timer", "read timer", "expire", "use a function of libc that all threads share",
      "allocate", "set signal mask", "call", "register a function for the end", "look at pending signals", "try to join", "become another program",
  };
  return kNames[static_cast<std::size_t>(op)];
}

}  // namespace tarry::native::rt
