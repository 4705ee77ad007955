#include "enforce/kind.h"

#include <iterator>

namespace tarry::enforce {

const char* name_of(Kind kind) {
  static constexpr const char* kNames[] = {
      "none",
      "start", "end", "exit", "create", "join",
      "lock", "try-lock", "unlock",
      "spin-lock", "spin-try-lock", "spin-unlock",
      "wait", "reacquire", "signal", "broadcast",
      "read-lock", "try-read-lock", "write-lock", "try-write-lock", "read-write-unlock",
      "barrier", "barrier-passed",
      "semaphore-wait", "semaphore-try-wait", "semaphore-post", "semaphore-value",
      "once", "once-done", "guard", "guard-done",
      "load", "store", "exchange", "read-modify-write", "compare-exchange",
      "read", "write",
      "futex-wait", "futex-woken", "futex-wake",
      "at-exit",
      "input",
      "timed-lock", "timed-read-lock", "timed-write-lock", "timed-semaphore-wait", "timed-reacquire", "timed-futex-woken",
      "enter-region", "leave-region",
  };
  static_assert(std::size(kNames) == static_cast<std::size_t>(Kind::kCount));
  return kind < Kind::kCount ? kNames[static_cast<std::size_t>(kind)] : "unknown";
}

}  // namespace tarry::enforce
