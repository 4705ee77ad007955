// Mutexes of all kinds. The program's own pthread_mutex_t holds all there is to know: in __owner the thread's number + 1, in __count how often
// it has locked, in __kind the type and glibc's bits for what it is besides (robust, priority protocol, shared).
//
// A thread that asks for what it has, or for what is held by one that waits for it, is reported at once: a circle of waiting threads is a
// deadlock, even if others can go on.
#include "native/rt/posix/mutex.h"

#include <cerrno>

#include "native/rt/threads/happened.h"
#include "native/rt/threads/taking.h"
#include "native/rt/threads/told_access.h"

namespace tarry::native::rt {
namespace {

// Bits of __kind, as in glibc's pthreadP.h: static initializers set them too.
constexpr int kType = 3;
constexpr int kRobust = 0x10;
constexpr int kInherit = 0x20;
constexpr int kProtect = 0x40;
constexpr int kShared = 0x80;
constexpr int kKnown = kType | kRobust | kInherit | kProtect | kShared | 0x300;  // the last: lock elision
constexpr int kDestroyed = -1;

// Values of __owner that are no thread, as in glibc.
constexpr int kOwnerDied = 0x7fffffff;
constexpr int kNotRecoverable = 0x7ffffffe;

// Values of __lock. It is as in glibc whether a mutex is free: the child of a fork goes on with glibc's functions. The last: the owner before
// died and the state has not been made consistent.
constexpr int kFree = 0, kLocked = 1, kInconsistent = 2;

int& owner(pthread_mutex_t* mutex) { return mutex->__data.__owner; }
unsigned& count(pthread_mutex_t* mutex) { return mutex->__data.__count; }
int type(const pthread_mutex_t* mutex) { return mutex->__data.__kind & kType; }
bool robust(const pthread_mutex_t* mutex) { return (mutex->__data.__kind & kRobust) != 0; }

void check(const pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind;
  if ((kind & ~kKnown) == 0) [[likely]] return;
  misuse_of(mutex, kind == kDestroyed ? "a mutex is used that was destroyed" : "a mutex is used that was not initialized");
}

/// After the point of an operation: others may have destroyed it, or freed its memory.
void is_used(const pthread_mutex_t* mutex, std::uintptr_t pc) {
  operates(mutex, pc);
  check(mutex);
}

const pthread_mutex_t* mutex_of(const Operation& operation) { return static_cast<const pthread_mutex_t*>(operation.object); }
bool can_lock(const Operation& operation) { return mutex_is_free(mutex_of(operation)); }
std::uint32_t holder_of(const Operation& operation) { return mutex_holder(mutex_of(operation)); }

/// What happens if the owner asks again; false: it waits like any other.
bool again(pthread_mutex_t* mutex, int& result) {
  if (type(mutex) == PTHREAD_MUTEX_RECURSIVE) {
    if (count(mutex) == ~0u) result = EAGAIN;
    else ++count(mutex);
    return true;
  }
  result = EDEADLK;
  return type(mutex) == PTHREAD_MUTEX_ERRORCHECK;
}

/// An attempt that failed: the thread only looked at the owner.
int failed_to_take(pthread_mutex_t* mutex) {
  only_looked(&owner(mutex), sizeof(int));
  was_refused(mutex);
  return EBUSY;
}

// Robust mutexes of a thread are a list, from the last locked to the first.
void** next_of(pthread_mutex_t* mutex) { return reinterpret_cast<void**>(&mutex->__data.__list.__next); }

void keep(pthread_mutex_t* mutex) {
  *next_of(mutex) = scheduler().self().locks.robust;
  scheduler().self().locks.robust = mutex;
}
void unlink(pthread_mutex_t* mutex) {
  for (void** at = &scheduler().self().locks.robust; *at != nullptr; at = next_of(static_cast<pthread_mutex_t*>(*at)))
    if (*at == mutex) {
      *at = *next_of(mutex);
      return;
    }
}

}  // namespace

bool mutex_is_mine(const pthread_mutex_t* mutex) { return mutex->__data.__owner == static_cast<int>(me()); }
bool mutex_is_free(const pthread_mutex_t* mutex) {
  const int owner = mutex->__data.__owner;
  return owner == 0 || owner == kOwnerDied || owner == kNotRecoverable;
}
std::uint32_t mutex_holder(const pthread_mutex_t* mutex) {
  const auto owner = static_cast<std::uint32_t>(mutex->__data.__owner);
  return owner <= scheduler().thread_count() ? owner : 0;
}

int take_mutex(pthread_mutex_t* mutex, std::uint32_t depth) {
  if (owner(mutex) == kNotRecoverable) return ENOTRECOVERABLE;
  const bool died = owner(mutex) == kOwnerDied;
  mutex->__data.__lock = died ? kInconsistent : kLocked;
  owner(mutex) = static_cast<int>(me());
  count(mutex) = depth;
  if (robust(mutex)) keep(mutex);
  has_taken(mutex);
  acquire(mutex);
  return died ? EOWNERDEAD : 0;
}

std::uint32_t release_mutex(pthread_mutex_t* mutex) {
  const std::uint32_t depth = count(mutex);
  release(mutex);
  if (robust(mutex)) unlink(mutex);
  owner(mutex) = mutex->__data.__lock == kInconsistent ? kNotRecoverable : 0;
  mutex->__data.__lock = kFree;
  count(mutex) = 0;
  return depth;
}

int lock_mutex(pthread_mutex_t* mutex, std::uintptr_t pc, const Deadline* deadline) {
  check(mutex);
  if (deadline != nullptr && !deadline->valid()) return EINVAL;
  int result = 0;
  if (mutex_is_mine(mutex) && again(mutex, result)) return operates(mutex, pc), result;
  const Op op = deadline != nullptr ? Op::kTimedLock : Op::kLock;
  about_to_take(mutex);
  const bool in_time = wait_point({.op = op, .object = mutex, .ready = can_lock, .pc = pc, .timed = deadline != nullptr, .holder = holder_of});
  is_used(mutex, pc);
  if (!in_time) return deadline->expire();
  return take_mutex(mutex);
}

int try_lock_mutex(pthread_mutex_t* mutex, std::uintptr_t pc) {
  check(mutex);
  about_to_take(mutex);
  attempt_point({.op = Op::kTryLock, .object = mutex, .pc = pc});
  is_used(mutex, pc);
  int result = EBUSY;
  scheduler().came_to("fails");
  if (mutex_is_mine(mutex)) {
    if (type(mutex) != PTHREAD_MUTEX_RECURSIVE || !again(mutex, result)) return failed_to_take(mutex);
    has_effect();
    scheduler().came_to("succeeds");
    return 0;
  }
  if (!mutex_is_free(mutex) || scheduler().spurious()) return failed_to_take(mutex);
  has_effect();
  scheduler().came_to("succeeds");
  return take_mutex(mutex);
}

int unlock_mutex(pthread_mutex_t* mutex, std::uintptr_t pc) {
  check(mutex);
  if (!mutex_is_mine(mutex)) {
    if (type(mutex) == PTHREAD_MUTEX_ERRORCHECK || type(mutex) == PTHREAD_MUTEX_RECURSIVE || robust(mutex)) return operates(mutex, pc), EPERM;
    misuse_of(mutex, owner(mutex) == 0 ? "unlock of a mutex that is not locked" : "unlock of a mutex that another thread has locked");
  }
  if (type(mutex) == PTHREAD_MUTEX_RECURSIVE && count(mutex) > 1) {
    operates(mutex, pc);
    --count(mutex);
    return 0;
  }
  scheduler().point({.op = Op::kUnlock, .object = mutex, .pc = pc});
  is_used(mutex, pc);
  release_mutex(mutex);
  has_given_back();
  return 0;
}

void make_mutex(pthread_mutex_t* mutex, int kind, std::uintptr_t pc) {
  makes(mutex, pc);
  if (g_watch.races != nullptr) g_watch.races->forget_object(mutex);
  *mutex = pthread_mutex_t{};
  mutex->__data.__kind = kind;
}

void destroy_mutex(pthread_mutex_t* mutex, std::uintptr_t pc) {
  makes(mutex, pc);
  check(mutex);
  if (!mutex_is_free(mutex)) misuse("a mutex is destroyed while it is locked");
  mutex->__data.__kind = kDestroyed;
  if (g_watch.races != nullptr) g_watch.races->forget_object(mutex);
}

void abandon_robust_mutexes() {
  while (auto* const mutex = static_cast<pthread_mutex_t*>(scheduler().self().locks.robust)) {
    scheduler().point({.op = Op::kUnlock, .object = mutex});
    release_mutex(mutex);
    owner(mutex) = kOwnerDied;
  }
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  TARRY_PASS_OBJECT(pthread_mutex_lock, mutex);
  return lock_mutex(mutex, TARRY_PC);
}
TARRY_TAKEN_OVER int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  TARRY_PASS_OBJECT(pthread_mutex_trylock, mutex);
  return try_lock_mutex(mutex, TARRY_PC);
}
TARRY_TAKEN_OVER int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
  TARRY_PASS_OBJECT(pthread_mutex_timedlock, mutex, until);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(CLOCK_REALTIME, until);
  return lock_mutex(mutex, TARRY_PC, &deadline);
}
TARRY_TAKEN_OVER int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) noexcept {
  TARRY_PASS_OBJECT(pthread_mutex_clocklock, mutex, clock, until);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(clock, until);
  return lock_mutex(mutex, TARRY_PC, &deadline);
}
TARRY_TAKEN_OVER int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  TARRY_PASS_OBJECT(pthread_mutex_unlock, mutex);
  return unlock_mutex(mutex, TARRY_PC);
}
TARRY_TAKEN_OVER int pthread_mutex_consistent(pthread_mutex_t* mutex) noexcept {
  TARRY_PASS_OBJECT(pthread_mutex_consistent, mutex);
  operates(mutex, TARRY_PC);
  if (!robust(mutex) || !mutex_is_mine(mutex) || mutex->__data.__lock != kInconsistent) return EINVAL;
  mutex->__data.__lock = kLocked;
  return 0;
}
TARRY_TAKEN_OVER int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  TARRY_PASS_OBJECT(pthread_mutex_init, mutex, attributes);
  int kind = PTHREAD_MUTEX_DEFAULT, is_robust = PTHREAD_MUTEX_STALLED, protocol = PTHREAD_PRIO_NONE, shared = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) {
    pthread_mutexattr_gettype(attributes, &kind);
    pthread_mutexattr_getrobust(attributes, &is_robust);
    pthread_mutexattr_getprotocol(attributes, &protocol);
    pthread_mutexattr_getpshared(attributes, &shared);
  }
  kind &= kType;
  if (is_robust == PTHREAD_MUTEX_ROBUST) kind |= kRobust;
  if (protocol != PTHREAD_PRIO_NONE) kind |= protocol == PTHREAD_PRIO_INHERIT ? kInherit : kProtect;
  if (shared == PTHREAD_PROCESS_SHARED) kind |= kShared;
  make_mutex(mutex, kind, TARRY_PC);
  return 0;
}
TARRY_TAKEN_OVER int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  TARRY_PASS_OBJECT(pthread_mutex_destroy, mutex);
  destroy_mutex(mutex, TARRY_PC);
  return 0;
}
