// Condition variables. Waiting is two operations: release and enqueue, then (once woken) take the mutex again. Which of several waiters a
// signal wakes is a choice of the search.
#include <pthread.h>

#include <cerrno>

#include "native/rt/happened.h"
#include "native/rt/posix/mutex.h"
#include "native/rt/real.h"
#include "native/rt/scheduler.h"
#include "native/rt/side.h"

namespace tarry::native::rt {
namespace {

const pthread_mutex_t* mutex_of(const Operation& operation) { return reinterpret_cast<const pthread_mutex_t*>(operation.argument); }

/// A waiter goes on when the mutex is free, and it was woken or its time is out.
bool can_go_on(const Operation& operation) { return scheduler().thread(operation.thread).woken && mutex_is_free(mutex_of(operation)); }
bool can_time_out(const Operation& operation) { return !scheduler().thread(operation.thread).woken && mutex_is_free(mutex_of(operation)); }

int wait(pthread_cond_t* condition, pthread_mutex_t* mutex, std::uintptr_t pc, bool timed) {
  Scheduler& all = scheduler();
  if (mutex->__data.__owner != static_cast<int>(all.running()) + 1)
    all.fail({.kind = "misuse", .message = "a condition variable is waited for with a mutex that the thread has not locked", .pc = pc});
  const auto lock = reinterpret_cast<std::uintptr_t>(mutex);
  all.point({.op = Op::kWait, .object = condition, .also = mutex, .argument = lock, .pc = pc});
  const unsigned depth = mutex->__data.__count;
  release_mutex(mutex);
  Thread& self = all.self();
  self.waits_on = condition;
  self.woken = all.spurious();
  const bool in_time = all.point({.op = Op::kReacquire,
                                  .object = condition,
                                  .also = mutex,
                                  .ready = can_go_on,
                                  .argument = lock,
                                  .pc = pc,
                                  .timed = timed,
                                  .may_expire = can_time_out,
                                  .thread = all.running()});
  self.waits_on = nullptr;
  self.woken = false;
  reacquire_mutex(mutex);
  mutex->__data.__count = depth;
  if (!in_time) return ETIMEDOUT;
  acquire(condition);
  return 0;
}

void wake(std::uint32_t number) { scheduler().thread(number).woken = true; }

bool waits(const Thread& thread, const void* object) {
  return thread.state == Thread::State::kAlive && thread.waits_on == object && !thread.woken;
}

int signal(pthread_cond_t* condition, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  all.point({.op = Op::kSignal, .object = condition, .pc = pc});
  release(condition);
  std::uint32_t waiting = 0;
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) waiting += waits(all.thread(i), condition) ? 1 : 0;
  if (waiting == 0) return 0;
  std::uint32_t chosen = all.decide(waiting);
  for (std::uint32_t i = 0; i < all.thread_count(); ++i)
    if (waits(all.thread(i), condition) && chosen-- == 0) {
      wake(i);
      break;
    }
  return 0;
}

int broadcast(pthread_cond_t* condition, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  all.point({.op = Op::kBroadcast, .object = condition, .pc = pc});
  release(condition);
  for (std::uint32_t i = 0; i < all.thread_count(); ++i)
    if (waits(all.thread(i), condition)) wake(i);
  return 0;
}

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!in_program()) return TARRY_REAL(pthread_cond_wait)(condition, mutex);
  return wait(condition, mutex, TARRY_PC, false);
}
TARRY_TAKEN_OVER int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  if (!in_program()) return TARRY_REAL(pthread_cond_timedwait)(condition, mutex, until);
  return wait(condition, mutex, TARRY_PC, true);
}
TARRY_TAKEN_OVER int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  if (!in_program()) return TARRY_REAL(pthread_cond_clockwait)(condition, mutex, clock, until);
  return wait(condition, mutex, TARRY_PC, true);
}
TARRY_TAKEN_OVER int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (!in_program()) return g_side == Side::kEngine ? 0 : TARRY_REAL(pthread_cond_signal)(condition);
  return signal(condition, TARRY_PC);
}
TARRY_TAKEN_OVER int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (!in_program()) return g_side == Side::kEngine ? 0 : TARRY_REAL(pthread_cond_broadcast)(condition);
  return broadcast(condition, TARRY_PC);
}
TARRY_TAKEN_OVER int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  if (!in_program()) return g_side == Side::kEngine ? 0 : TARRY_REAL(pthread_cond_destroy)(condition);
  for (std::uint32_t i = 0; i < scheduler().thread_count(); ++i)
    if (waits(scheduler().thread(i), condition))
      scheduler().fail({.kind = "misuse", .message = "a condition variable is destroyed while a thread waits for it", .pc = TARRY_PC});
  if (g_watch.races != nullptr) g_watch.races->forget_object(condition);
  return 0;
}
