// The synchronisation functions of programs. Each call is an event (or two) around the library's own function. When an event
// proceeds, other threads have already done what it needs: the library's function finds its lock free, and waits only for
// moments.
//
// Condition variables and barriers are the exception: the trace decides which thread is woken, so the library's own functions are
// not used while a trace is followed.
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>

#include "base/stream_lock.h"
#include "enforce/rt/control.h"
#include "enforce/rt/primitives.h"
#include "enforce/rt/raw.h"
#include "enforce/rt/real.h"

using namespace tarry::enforce;
using namespace tarry::enforce::rt;

namespace {

void futex_wake_all(const void* word) { raw(SYS_futex, raw_address(word), FUTEX_WAKE, INT_MAX); }

// ---- barriers, in the program's pthread_barrier_t

struct Barrier {
  std::uint32_t count;
  std::uint32_t arrived;
  std::uint32_t generation;
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t));
Barrier& state(pthread_barrier_t* barrier) { return *reinterpret_cast<Barrier*>(barrier); }

}  // namespace

TARRY_ENFORCED int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (is_checked(mutex) && is_mine(mutex)) return TARRY_NEXT(pthread_mutex_lock)(mutex);
  const Step step({.kind = Kind::kLock, .object = mutex, .pc = TARRY_PLACE});
  return perform(step, TARRY_NEXT(pthread_mutex_lock), mutex);
}
TARRY_ENFORCED int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  const Step step({.kind = Kind::kTryLock, .object = mutex, .pc = TARRY_PLACE});
  return TARRY_NEXT(pthread_mutex_trylock)(mutex);
}
TARRY_ENFORCED int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (is_no_unlock(mutex)) return TARRY_NEXT(pthread_mutex_unlock)(mutex);
  const Step step({.kind = Kind::kUnlock, .object = mutex, .pc = TARRY_PLACE});
  return TARRY_NEXT(pthread_mutex_unlock)(mutex);
}

// Locks of streams: operations of the owner are no events, except the last unlock.
namespace {
using tarry::lock_of;
bool is_mine(const FILE* stream) { return __atomic_load_n(&lock_of(stream)->owner, __ATOMIC_RELAXED) == reinterpret_cast<void*>(::pthread_self()); }
}  // namespace

TARRY_ENFORCED void flockfile(FILE* stream) noexcept {
  if (is_mine(stream)) return TARRY_NEXT(flockfile)(stream);
  const Step step({.kind = Kind::kLock, .object = lock_of(stream), .pc = TARRY_PLACE});
  perform(step, TARRY_NEXT(flockfile), stream);
}
TARRY_ENFORCED int ftrylockfile(FILE* stream) noexcept {
  if (is_mine(stream)) return TARRY_NEXT(ftrylockfile)(stream);
  const Step step({.kind = Kind::kTryLock, .object = lock_of(stream), .pc = TARRY_PLACE});
  return TARRY_NEXT(ftrylockfile)(stream);
}
TARRY_ENFORCED void funlockfile(FILE* stream) noexcept {
  if (!is_mine(stream) || lock_of(stream)->count != 1) return TARRY_NEXT(funlockfile)(stream);
  const Step step({.kind = Kind::kUnlock, .object = lock_of(stream), .pc = TARRY_PLACE});
  TARRY_NEXT(funlockfile)(stream);
}

TARRY_ENFORCED int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  const Step step({.kind = Kind::kSpinLock, .object = const_cast<const int*>(lock), .pc = TARRY_PLACE});
  return perform(step, TARRY_NEXT(pthread_spin_lock), lock);
}
TARRY_ENFORCED int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  const Step step({.kind = Kind::kSpinTryLock, .object = const_cast<const int*>(lock), .pc = TARRY_PLACE});
  return TARRY_NEXT(pthread_spin_trylock)(lock);
}
TARRY_ENFORCED int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  const Step step({.kind = Kind::kSpinUnlock, .object = const_cast<const int*>(lock), .pc = TARRY_PLACE});
  return TARRY_NEXT(pthread_spin_unlock)(lock);
}

TARRY_ENFORCED int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  const std::uintptr_t pc = TARRY_PLACE;
  const auto real_wait = TARRY_NEXT(pthread_cond_wait);
  {
    const Step step({.kind = Kind::kWait, .object = condition, .also = mutex, .pc = pc});
    if (step.free()) {
      const int result = perform(step, real_wait, condition, mutex);
      if (is_recorded()) enter({.kind = Kind::kReacquire, .object = condition, .also = mutex, .pc = pc});
      return result;
    }
    TARRY_NEXT(pthread_mutex_unlock)(mutex);
  }
  // If the run leaves the set meanwhile, this is a spurious wake-up.
  const Step step({.kind = Kind::kReacquire, .object = condition, .also = mutex, .pc = pc});
  return perform(step, TARRY_NEXT(pthread_mutex_lock), mutex);
}
TARRY_ENFORCED int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  const Step step({.kind = Kind::kSignal, .object = condition, .pc = TARRY_PLACE});
  return step.free() ? TARRY_NEXT(pthread_cond_signal)(condition) : 0;
}
TARRY_ENFORCED int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  const Step step({.kind = Kind::kBroadcast, .object = condition, .pc = TARRY_PLACE});
  return step.free() ? TARRY_NEXT(pthread_cond_broadcast)(condition) : 0;
}

TARRY_ENFORCED int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  const Step step({.kind = Kind::kReadLock, .object = lock, .pc = TARRY_PLACE});
  return perform(step, TARRY_NEXT(pthread_rwlock_rdlock), lock);
}
TARRY_ENFORCED int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  const Step step({.kind = Kind::kTryReadLock, .object = lock, .pc = TARRY_PLACE});
  return TARRY_NEXT(pthread_rwlock_tryrdlock)(lock);
}
TARRY_ENFORCED int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  const Step step({.kind = Kind::kWriteLock, .object = lock, .pc = TARRY_PLACE});
  return perform(step, TARRY_NEXT(pthread_rwlock_wrlock), lock);
}
TARRY_ENFORCED int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  const Step step({.kind = Kind::kTryWriteLock, .object = lock, .pc = TARRY_PLACE});
  return TARRY_NEXT(pthread_rwlock_trywrlock)(lock);
}
TARRY_ENFORCED int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  const Step step({.kind = Kind::kReadWriteUnlock, .object = lock, .pc = TARRY_PLACE});
  return TARRY_NEXT(pthread_rwlock_unlock)(lock);
}

TARRY_ENFORCED int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* /*attributes*/, unsigned count) noexcept {
  if (count == 0) return EINVAL;
  state(barrier) = {count, 0, 0};
  return 0;
}
TARRY_ENFORCED int pthread_barrier_destroy(pthread_barrier_t* /*barrier*/) noexcept { return 0; }
TARRY_ENFORCED int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  const std::uintptr_t pc = TARRY_PLACE;
  Barrier& own = state(barrier);
  std::uint32_t generation = 0;
  bool last = false;
  {
    const Step step({.kind = Kind::kBarrier, .object = barrier, .pc = pc});
    generation = __atomic_load_n(&own.generation, __ATOMIC_SEQ_CST);
    last = __atomic_add_fetch(&own.arrived, 1, __ATOMIC_SEQ_CST) == own.count;
    if (last) {
      __atomic_store_n(&own.arrived, 0, __ATOMIC_SEQ_CST);
      __atomic_add_fetch(&own.generation, 1, __ATOMIC_SEQ_CST);
    }
  }
  if (last) return futex_wake_all(&own.generation), PTHREAD_BARRIER_SERIAL_THREAD;
  const Step step({.kind = Kind::kBarrierPassed, .object = barrier, .pc = pc});
  const Blocking blocking(step.free());
  while (__atomic_load_n(&own.generation, __ATOMIC_SEQ_CST) == generation) raw(SYS_futex, raw_address(&own.generation), FUTEX_WAIT, generation);
  return 0;
}

TARRY_ENFORCED int sem_wait(sem_t* semaphore) {
  const Step step({.kind = Kind::kSemaphoreWait, .object = semaphore, .pc = TARRY_PLACE});
  return perform(step, TARRY_NEXT(sem_wait), semaphore);
}
TARRY_ENFORCED int sem_trywait(sem_t* semaphore) noexcept {
  const Step step({.kind = Kind::kSemaphoreTryWait, .object = semaphore, .pc = TARRY_PLACE});
  return TARRY_NEXT(sem_trywait)(semaphore);
}
TARRY_ENFORCED int sem_post(sem_t* semaphore) noexcept {
  const Step step({.kind = Kind::kSemaphorePost, .object = semaphore, .pc = TARRY_PLACE});
  return TARRY_NEXT(sem_post)(semaphore);
}
TARRY_ENFORCED int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  const Step step({.kind = Kind::kSemaphoreValue, .object = semaphore, .pc = TARRY_PLACE});
  return TARRY_NEXT(sem_getvalue)(semaphore, value);
}

// The value is as glibc stores it, so that a thread that is no longer enforced finds it correct.
TARRY_ENFORCED int pthread_once(pthread_once_t* once, void (*routine)()) {
  constexpr int kRuns = 1, kDone = 2;
  const std::uintptr_t pc = TARRY_PLACE;
  {
    const Step step({.kind = Kind::kOnce, .object = once, .pc = pc});
    if (step.free()) return perform(step, TARRY_NEXT(pthread_once), once, routine);
    if (__atomic_load_n(once, __ATOMIC_ACQUIRE) == kDone) return 0;
    __atomic_store_n(once, kRuns, __ATOMIC_RELEASE);
  }
  struct Running {  // if a routine throws, the next caller runs it
    pthread_once_t* once;
    int result;
    ~Running() {
      __atomic_store_n(once, result, __ATOMIC_RELEASE);
      futex_wake_all(once);
    }
  } running{once, 0};
  routine();
  const Step step({.kind = Kind::kOnceDone, .object = once, .pc = pc});
  running.result = kDone;
  __atomic_store_n(once, kDone, __ATOMIC_RELEASE);
  return 0;
}

TARRY_ENFORCED int __cxa_guard_acquire(std::uint64_t* guard) {
  const Step step({.kind = Kind::kGuard, .object = guard, .pc = TARRY_PLACE});
  return perform(step, TARRY_NEXT_AS(__cxa_guard_acquire, int(std::uint64_t*)), guard);
}
TARRY_ENFORCED void __cxa_guard_release(std::uint64_t* guard) {
  const Step step({.kind = Kind::kGuardDone, .object = guard, .pc = TARRY_PLACE});
  TARRY_NEXT_AS(__cxa_guard_release, void(std::uint64_t*))(guard);
}
TARRY_ENFORCED void __cxa_guard_abort(std::uint64_t* guard) {
  const Step step({.kind = Kind::kGuardDone, .object = guard, .pc = TARRY_PLACE});
  TARRY_NEXT_AS(__cxa_guard_abort, void(std::uint64_t*))(guard);
}
