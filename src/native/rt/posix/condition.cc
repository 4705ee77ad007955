// Condition variables. Waiting is two operations: release and enqueue, then (once woken) take the mutex again. Which of several waiters a
// signal wakes is a choice of the search. A wait whose time is out is over at once, and takes the mutex in a third operation: a signal that
// comes in between is not for it.
#include "native/rt/posix/condition.h"

#include <cerrno>

#include "native/rt/posix/mutex.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/told_access.h"

namespace tarry::native::rt {
namespace {

// The clock of pthread_cond_timedwait is a bit where glibc has it.
constexpr unsigned kMonotonic = 2;
constexpr unsigned kDestroyed = 0xdead0000;  // in the same place

unsigned& flags(pthread_cond_t* condition) { return condition->__data.__wrefs; }

/// Before the point of an operation, and after it: others may have destroyed it, or freed its memory.
void check(pthread_cond_t* condition) {
  if (flags(condition) == kDestroyed) [[unlikely]] misuse_of(condition, "a condition variable is used that was destroyed");
}
void is_used(pthread_cond_t* condition, std::uintptr_t pc) {
  operates(condition, pc);
  check(condition);
}

pthread_mutex_t* mutex_of(const Operation& operation) { return reinterpret_cast<pthread_mutex_t*>(operation.argument); }

bool was_woken(const Thread& thread) { return thread.wait.woken || thread.cancel_due(); }
bool can_go_on(const Operation& operation) { return was_woken(scheduler().thread(operation.thread)) && mutex_is_free(mutex_of(operation)); }
bool can_time_out(const Operation& operation) { return !was_woken(scheduler().thread(operation.thread)); }
bool can_lock(const Operation& operation) { return mutex_is_free(mutex_of(operation)); }
/// Returns the holder of the mutex that the thread waits for. Only a woken thread waits for the mutex.
std::uint32_t holder(const Operation& operation) { return was_woken(scheduler().thread(operation.thread)) ? mutex_holder(mutex_of(operation)) : 0; }
std::uint32_t holder_after_timeout(const Operation& operation) { return mutex_holder(mutex_of(operation)); }

/// A thread waits still that the signal could have woken instead of the running one: if this one is cancelled, that one is woken. The search sees it where it
/// chooses that one to be woken.
bool signal_fits_another(const pthread_cond_t* condition) {
  const Scheduler& all = scheduler();
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) {
    const Thread& thread = all.thread(i);
    if (thread.state == Thread::State::kAlive && thread.wait.on == condition && thread.wait.passed_over && !was_woken(thread)) return true;
  }
  return false;
}

/// The signal woke those that it woke. Others that wait now could have been woken by it.
void pass_over_others(const pthread_cond_t* condition) {
  Scheduler& all = scheduler();
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) {
    Thread& thread = all.thread(i);
    if (thread.wait.on == condition && !thread.wait.woken) thread.wait.passed_over = true;
  }
}

}  // namespace

int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, std::uintptr_t pc, const Deadline* deadline) {
  Scheduler& all = scheduler();
  if (deadline != nullptr && !deadline->valid()) return EINVAL;
  check(condition);
  if (!mutex_is_mine(mutex)) misuse_of(mutex, "a condition variable is waited for with a mutex that the thread has not locked");
  const auto lock = reinterpret_cast<std::uintptr_t>(mutex);
  all.point({.op = Op::kWait, .object = condition, .also = mutex, .argument = lock, .pc = pc});
  is_used(condition, pc);
  operates(mutex, pc);
  const std::uint32_t depth = release_mutex(mutex);
  begin_waiting(condition);
  // Not `cancellable`: even one that is cancelled needs the mutex.
  const bool in_time = all.point({.op = Op::kReacquire,
                                  .object = condition,
                                  .also = mutex,
                                  .ready = can_go_on,
                                  .argument = lock,
                                  .pc = pc,
                                  .timed = deadline != nullptr,
                                  .may_expire = can_time_out,
                                  .holder = holder});
  const bool signalled = all.self().wait.woken;
  end_waiting();
  if (!in_time) all.point({.op = Op::kLock, .object = mutex, .ready = can_lock, .argument = lock, .pc = pc, .holder = holder_after_timeout});
  operates(mutex, pc);
  const int result = take_mutex(mutex, depth);
  if (!in_time) return result != 0 ? result : deadline->expire();
  if (!signalled) cancel_if_due();
  else if (!signal_fits_another(condition)) cancel_or_go_on();
  acquire(condition);
  return result;
}

void signal_condition(pthread_cond_t* condition, std::uintptr_t pc) {
  check(condition);
  scheduler().point({.op = Op::kSignal, .object = condition, .pc = pc});
  is_used(condition, pc);
  release(condition);
  wake(condition, 1);
  pass_over_others(condition);
}

void broadcast_condition(pthread_cond_t* condition, std::uintptr_t pc) {
  check(condition);
  scheduler().point({.op = Op::kBroadcast, .object = condition, .pc = pc});
  is_used(condition, pc);
  release(condition);
  wake_all(condition);
}

void make_condition(pthread_cond_t* condition, clockid_t clock, std::uintptr_t pc) {
  makes(condition, pc);
  if (g_watch.races != nullptr) g_watch.races->forget_object(condition);
  *condition = pthread_cond_t{};
  if (clock == CLOCK_MONOTONIC) flags(condition) |= kMonotonic;
}

void destroy_condition(pthread_cond_t* condition, std::uintptr_t pc) {
  makes(condition, pc);
  check(condition);
  if (count_waiting(condition) > 0) misuse("a condition variable is destroyed while a thread waits for it");
  flags(condition) = kDestroyed;
  if (g_watch.races != nullptr) g_watch.races->forget_object(condition);
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) noexcept {
  TARRY_PASS_OBJECT(pthread_cond_init, condition, attributes);
  clockid_t clock = CLOCK_REALTIME;
  if (attributes != nullptr) pthread_condattr_getclock(attributes, &clock);
  make_condition(condition, clock, TARRY_PC);
  return 0;
}
TARRY_TAKEN_OVER int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  TARRY_PASS_OBJECT(pthread_cond_wait, condition, mutex);
  return wait_for_condition(condition, mutex, TARRY_PC);
}
TARRY_TAKEN_OVER int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  TARRY_PASS_OBJECT(pthread_cond_timedwait, condition, mutex, until);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline((flags(condition) & kMonotonic) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME, until);
  return wait_for_condition(condition, mutex, TARRY_PC, &deadline);
}
TARRY_TAKEN_OVER int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  TARRY_PASS_OBJECT(pthread_cond_clockwait, condition, mutex, clock, until);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(clock, until);
  return wait_for_condition(condition, mutex, TARRY_PC, &deadline);
}
TARRY_TAKEN_OVER int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  TARRY_PASS_OBJECT(pthread_cond_signal, condition);
  signal_condition(condition, TARRY_PC);
  return 0;
}
TARRY_TAKEN_OVER int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  TARRY_PASS_OBJECT(pthread_cond_broadcast, condition);
  broadcast_condition(condition, TARRY_PC);
  return 0;
}
TARRY_TAKEN_OVER int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  TARRY_PASS_OBJECT(pthread_cond_destroy, condition);
  destroy_condition(condition, TARRY_PC);
  return 0;
}
