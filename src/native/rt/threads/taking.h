// What the running thread takes, is refused and gives back, told by the primitives (attempts.h).
#pragma once

#include <cstdint>

#include "native/rt/base/attempts.h"
#include "native/rt/base/operation.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

void backed_off(Thread& self, const void* object);

/// The running thread is about to take, or to try to take.
inline void about_to_take(const void* object) {
  Thread& self = scheduler().self();
  if (self.attempts.gave_back) [[unlikely]] backed_off(self, object);
}
/// Another thread holds it.
inline void was_refused(const void* object) {
  Attempts& attempts = scheduler().self().attempts;
  attempts.refused = object;
  attempts.gave_back = attempts.only_looked = false;
}
/// It has read it. A spin lock may be tried by looking at it first; that is asked only of threads that have been running for a while, as all programs read.
inline void has_looked_at(const void* object) {
  constexpr std::uint32_t kWhile = 100;  // steps
  if (scheduler().self().steps <= kWhile) [[likely]] return;
  was_refused(object);
  scheduler().self().attempts.only_looked = true;
}
/// It has it now.
inline void has_taken(const void* object) {
  Attempts& attempts = scheduler().self().attempts;
  if (attempts.refused == object) attempts.refused = nullptr;
}
/// It has given back something. If it was never refused, it had every lock that it wanted.
inline void has_given_back() {
  Attempts& attempts = scheduler().self().attempts;
  if (attempts.refused != nullptr) attempts.gave_back = true;
  else attempts.contest = Contest::kNone;
}
/// The thread is about to perform its pending operation.
inline void settle(Attempts& attempts, Op op) {
  if (attempts.contest == Contest::kNone) [[likely]] return;
  const bool only_contends = (op >= Op::kLock && op <= Op::kSpinUnlock) || (op >= Op::kReadLock && op <= Op::kReadWriteUnlock) ||
                             (op >= Op::kSemaphoreWait && op <= Op::kSemaphorePost) || (op >= Op::kLoad && op <= Op::kRead) || op == Op::kYield || op == Op::kSleep;
  attempts.contest = only_contends ? Contest::kContends : Contest::kNone;
}

}  // namespace tarry::native::rt
