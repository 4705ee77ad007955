// Waits with a time limit. Whether the time ran out is an outcome that the trace has. While traces of both outcomes remain, the wait
// ends as it would without enforcement: in time if that may happen before the deadline, and otherwise by a time-out. If only one
// outcome remains, the program gets this one: a time-out not before its deadline, the other one even if it takes longer.
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <cerrno>
#include <cstdint>

#include "enforce/rt/control.h"
#include "enforce/rt/primitives.h"
#include "enforce/rt/real.h"

using namespace tarry::enforce;
using namespace tarry::enforce::rt;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

bool is_valid(const timespec& until) { return until.tv_nsec >= 0 && until.tv_nsec < kSecond; }

/// Returns the deadline as a time of nanoseconds(). At least 1: a deadline of 0 is none.
std::uint64_t deadline_of(clockid_t clock, const timespec& until) {
  constexpr std::int64_t kFarthest = 1'000'000'000;  // seconds
  timespec now;
  ::clock_gettime(clock, &now);
  const std::int64_t seconds = until.tv_sec - now.tv_sec;
  if (seconds > kFarthest) return nanoseconds() + static_cast<std::uint64_t>(kFarthest * kSecond);
  if (seconds < -1) return 1;
  const std::int64_t left = seconds * kSecond + until.tv_nsec - now.tv_nsec;
  return left <= 0 ? 1 : nanoseconds() + static_cast<std::uint64_t>(left);
}

/// A wait that is one event. `real` waits by itself, `take` takes what is free now.
template <class Real, class Take>
int timed(Actual actual, clockid_t clock, const timespec* until, const Real& real, const Take& take) {
  if (!is_enforced() && !is_recorded()) {
    const Step step(actual);  // threads may run one at a time
    const Blocking blocking(step.free());
    return real();
  }
  if (!is_valid(*until)) {
    out_of_scope("a wait with an invalid time limit", actual.pc);
    return real();
  }
  actual.deadline = deadline_of(clock, *until);
  const Step step(actual);
  if (step.expired()) return ETIMEDOUT;
  const Blocking blocking(step.free());
  return step.free() ? real() : take();
}

int lock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until, std::uintptr_t pc, int (*real)(pthread_mutex_t*, clockid_t, const timespec*)) {
  if (is_checked(mutex) && is_mine(mutex)) return real(mutex, clock, until);
  return timed({.kind = Kind::kTimedLock, .object = mutex, .pc = pc}, clock, until, [&] { return real(mutex, clock, until); }, [&] { return TARRY_NEXT(pthread_mutex_lock)(mutex); });
}

int wait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until, std::uintptr_t pc) {
  const auto real = TARRY_NEXT(pthread_cond_clockwait);
  if (!is_valid(*until)) {
    out_of_scope("a wait with an invalid time limit", pc);
    return real(condition, mutex, clock, until);
  }
  const std::uint64_t deadline = deadline_of(clock, *until);
  {
    const Step step({.kind = Kind::kWait, .object = condition, .also = mutex, .pc = pc});
    if (step.free()) {
      const Blocking blocking(true);
      const int result = real(condition, mutex, clock, until);
      if (is_recorded()) enter({.kind = Kind::kTimedReacquire, .object = condition, .also = mutex, .pc = pc});
      return result;
    }
    TARRY_NEXT(pthread_mutex_unlock)(mutex);
  }
  {
    // If the run leaves the set meanwhile, this is a spurious wake-up.
    const Step step({.kind = Kind::kTimedReacquire, .object = condition, .also = mutex, .pc = pc, .deadline = deadline});
    if (!step.expired()) return perform(step, TARRY_NEXT(pthread_mutex_lock), mutex);
  }
  const Step step({.kind = Kind::kLock, .object = mutex, .pc = pc});
  const int result = perform(step, TARRY_NEXT(pthread_mutex_lock), mutex);
  return result != 0 ? result : ETIMEDOUT;
}

/// The clock that pthread_condattr_setclock chose, as glibc keeps it.
clockid_t clock_of(const pthread_cond_t* condition) { return (__atomic_load_n(&condition->__data.__wrefs, __ATOMIC_RELAXED) & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME; }

int acquire(sem_t* semaphore, clockid_t clock, const timespec* until, std::uintptr_t pc) {
  const auto real = [&] { return TARRY_NEXT(sem_clockwait)(semaphore, clock, until) == 0 ? 0 : errno; };
  const int result = timed({.kind = Kind::kTimedSemaphoreWait, .object = semaphore, .pc = pc}, clock, until, real, [&] { return TARRY_NEXT(sem_wait)(semaphore) == 0 ? 0 : errno; });
  return result == 0 ? 0 : (errno = result, -1);
}

}  // namespace

TARRY_ENFORCED int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept { return lock(mutex, CLOCK_REALTIME, until, TARRY_PLACE, TARRY_NEXT(pthread_mutex_clocklock)); }
TARRY_ENFORCED int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) noexcept { return lock(mutex, clock, until, TARRY_PLACE, TARRY_NEXT(pthread_mutex_clocklock)); }

TARRY_ENFORCED int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) { return wait(condition, mutex, clock_of(condition), until, TARRY_PLACE); }
TARRY_ENFORCED int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) { return wait(condition, mutex, clock, until, TARRY_PLACE); }

#define TARRY_TIMED_LOCK(kind_of_event, clock, real, take)                                               \
  timed({.kind = kind_of_event, .object = lock, .pc = TARRY_PLACE}, clock, until, [&] { return TARRY_NEXT(real)(lock, clock, until); }, [&] { return TARRY_NEXT(take)(lock); })
TARRY_ENFORCED int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* until) noexcept { return TARRY_TIMED_LOCK(Kind::kTimedReadLock, CLOCK_REALTIME, pthread_rwlock_clockrdlock, pthread_rwlock_rdlock); }
TARRY_ENFORCED int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) noexcept { return TARRY_TIMED_LOCK(Kind::kTimedReadLock, clock, pthread_rwlock_clockrdlock, pthread_rwlock_rdlock); }
TARRY_ENFORCED int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* until) noexcept { return TARRY_TIMED_LOCK(Kind::kTimedWriteLock, CLOCK_REALTIME, pthread_rwlock_clockwrlock, pthread_rwlock_wrlock); }
TARRY_ENFORCED int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) noexcept { return TARRY_TIMED_LOCK(Kind::kTimedWriteLock, clock, pthread_rwlock_clockwrlock, pthread_rwlock_wrlock); }
#undef TARRY_TIMED_LOCK

TARRY_ENFORCED int sem_timedwait(sem_t* semaphore, const timespec* until) { return acquire(semaphore, CLOCK_REALTIME, until, TARRY_PLACE); }
TARRY_ENFORCED int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) { return acquire(semaphore, clock, until, TARRY_PLACE); }
