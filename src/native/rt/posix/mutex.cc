// Mutexes of all kinds. The owner is kept in the program's own pthread_mutex_t: thread number + 1.
#include <pthread.h>

#include <cerrno>
#include <cstring>

#include "native/rt/happened.h"
#include "native/rt/posix/mutex.h"
#include "native/rt/real.h"
#include "native/rt/scheduler.h"
#include "native/rt/side.h"

namespace tarry::native::rt {
namespace {

int& owner(pthread_mutex_t* mutex) { return mutex->__data.__owner; }
unsigned& count(pthread_mutex_t* mutex) { return mutex->__data.__count; }
int kind(const pthread_mutex_t* mutex) { return mutex->__data.__kind & 3; }
int me() { return static_cast<int>(scheduler().running()) + 1; }

bool is_free(const Operation& operation) { return static_cast<const pthread_mutex_t*>(operation.object)->__data.__owner == 0; }

void take(pthread_mutex_t* mutex) {
  owner(mutex) = me();
  count(mutex) = 1;
  acquire(mutex);
}

/// What happens if the owner asks again; 0: it waits like any other.
bool again(pthread_mutex_t* mutex, int& result) {
  if (owner(mutex) != me()) return false;
  if (kind(mutex) == PTHREAD_MUTEX_RECURSIVE) {
    ++count(mutex);
    result = 0;
    return true;
  }
  if (kind(mutex) == PTHREAD_MUTEX_ERRORCHECK) {
    result = EDEADLK;
    return true;
  }
  return false;
}

}  // namespace

Operation locking(Op op, const pthread_mutex_t* mutex, std::uintptr_t pc, bool timed) {
  return {.op = op,
          .object = mutex,
          .ready = is_free,
          .pc = pc,
          .timed = timed,
          .owner_plus_one = static_cast<std::uint32_t>(mutex->__data.__owner)};
}

int lock_mutex(pthread_mutex_t* mutex, std::uintptr_t pc, bool timed) {
  int result = 0;
  if (again(mutex, result)) return result;
  if (!scheduler().point(locking(timed ? Op::kTimedLock : Op::kLock, mutex, pc, timed))) return ETIMEDOUT;
  take(mutex);
  return 0;
}

int unlock_mutex(pthread_mutex_t* mutex, std::uintptr_t pc) {
  if (owner(mutex) != me()) {
    if (kind(mutex) == PTHREAD_MUTEX_ERRORCHECK || kind(mutex) == PTHREAD_MUTEX_RECURSIVE) return EPERM;
    scheduler().fail({.kind = "misuse", .message = owner(mutex) == 0 ? "unlock of a mutex that is not locked" : "unlock of a mutex that another thread has locked", .pc = pc});
  }
  if (kind(mutex) == PTHREAD_MUTEX_RECURSIVE && count(mutex) > 1) {
    --count(mutex);
    return 0;
  }
  scheduler().point({.op = Op::kUnlock, .object = mutex, .pc = pc});
  release_mutex(mutex);
  return 0;
}

void release_mutex(pthread_mutex_t* mutex) {
  release(mutex);
  owner(mutex) = 0;
  count(mutex) = 0;
}

void reacquire_mutex(pthread_mutex_t* mutex) { take(mutex); }

bool mutex_is_free(const pthread_mutex_t* mutex) { return mutex->__data.__owner == 0; }

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (!in_program()) return g_side == Side::kEngine ? 0 : TARRY_REAL(pthread_mutex_lock)(mutex);
  return lock_mutex(mutex, TARRY_PC, false);
}
TARRY_TAKEN_OVER int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (!in_program()) return g_side == Side::kEngine ? 0 : TARRY_REAL(pthread_mutex_trylock)(mutex);
  scheduler().point({.op = Op::kTryLock, .object = mutex, .pc = TARRY_PC});
  int result = EBUSY;
  if (kind(mutex) == PTHREAD_MUTEX_RECURSIVE && again(mutex, result)) return result;
  if (owner(mutex) != 0 || scheduler().spurious()) return EBUSY;
  take(mutex);
  return 0;
}
TARRY_TAKEN_OVER int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* /*until*/) noexcept { return lock_mutex(mutex, TARRY_PC, true); }
TARRY_TAKEN_OVER int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t /*clock*/, const timespec* /*until*/) noexcept {
  return lock_mutex(mutex, TARRY_PC, true);
}
TARRY_TAKEN_OVER int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (!in_program()) return g_side == Side::kEngine ? 0 : TARRY_REAL(pthread_mutex_unlock)(mutex);
  return unlock_mutex(mutex, TARRY_PC);
}
TARRY_TAKEN_OVER int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  if (in_program() && g_watch.races != nullptr) g_watch.races->forget_object(mutex);
  return TARRY_REAL(pthread_mutex_init)(mutex, attributes);
}
TARRY_TAKEN_OVER int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  if (!in_program()) return g_side == Side::kEngine ? 0 : TARRY_REAL(pthread_mutex_destroy)(mutex);
  if (owner(mutex) != 0) scheduler().fail({.kind = "misuse", .message = "a mutex is destroyed while it is locked", .pc = TARRY_PC});
  mutex->__data.__kind = -1;
  if (g_watch.races != nullptr) g_watch.races->forget_object(mutex);
  return 0;
}
