// Read-write locks. In the program's own pthread_rwlock_t: how many read, who writes (number + 1), how many writers wait, which kind.
//
// Readers do not wait for writers that wait, unless the lock is of the kind that lets writers go first (as glibc has it, of the three kinds only
// PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP does). Then waiting is an operation of its own: it is seen by others.
#include <pthread.h>

#include <cerrno>

#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/taking.h"
#include "native/rt/threads/told_access.h"
#include "native/rt/time/clock.h"

namespace tarry::native::rt {
namespace {

constexpr std::uint32_t kDestroyed = 0xdead;

struct State {
  std::uint32_t readers;
  std::uint32_t waiting_writers;
  std::uint32_t destroyed;
  std::uint32_t unused[3];
  std::uint32_t writer;
};
static_assert(offsetof(State, writer) == offsetof(pthread_rwlock_t, __data.__cur_writer));

State& state(const pthread_rwlock_t* lock) { return *reinterpret_cast<State*>(const_cast<pthread_rwlock_t*>(lock)); }
State& state(const Operation& operation) { return state(static_cast<const pthread_rwlock_t*>(operation.object)); }

bool writers_first(const pthread_rwlock_t* lock) { return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; }
const void* readers_name(const pthread_rwlock_t* lock) { return reinterpret_cast<const char*>(lock) + 1; }

bool may_read(const State& lock) { return lock.writer == 0 && lock.waiting_writers == 0; }  // only where writers go first do they count
bool may_write(const State& lock) { return lock.writer == 0 && lock.readers == 0; }
bool can_read(const Operation& operation) { return may_read(state(operation)); }
bool can_write(const Operation& operation) { return may_write(state(operation)); }
std::uint32_t holder(const Operation& operation) { return state(operation).writer; }

void check(const pthread_rwlock_t* lock) {
  if (state(lock).destroyed == kDestroyed) [[unlikely]] misuse_of(lock, "a read-write lock is used that was destroyed");
}

/// After the point of an operation: others may have destroyed it, or freed its memory.
void is_used(const pthread_rwlock_t* lock, std::uintptr_t pc) {
  operates(lock, pc);
  check(lock);
}

int read(pthread_rwlock_t* lock) {
  ++state(lock).readers;
  has_taken(lock);
  acquire(lock);
  return 0;
}

int write(pthread_rwlock_t* lock) {
  state(lock).writer = me();
  has_taken(lock);
  acquire(lock);
  acquire(readers_name(lock));
  return 0;
}

int refuse(const pthread_rwlock_t* lock) {
  only_looked(&state(lock), sizeof(State));
  was_refused(lock);
  return EBUSY;
}

int read_lock(pthread_rwlock_t* lock, std::uintptr_t pc, const Deadline* deadline = nullptr) {
  check(lock);
  if (deadline != nullptr && !deadline->valid()) return EINVAL;
  if (state(lock).writer == me()) return operates(lock, pc), EDEADLK;
  about_to_take(lock);
  const bool timed = deadline != nullptr;
  const bool in_time = wait_point({.op = timed ? Op::kTimedReadLock : Op::kReadLock, .object = lock, .ready = can_read, .pc = pc, .timed = timed, .reads = !timed, .holder = holder});
  is_used(lock, pc);
  return in_time ? read(lock) : deadline->expire();
}

int write_lock(pthread_rwlock_t* lock, std::uintptr_t pc, const Deadline* deadline = nullptr) {
  check(lock);
  if (deadline != nullptr && !deadline->valid()) return EINVAL;
  if (state(lock).writer == me()) return operates(lock, pc), EDEADLK;
  about_to_take(lock);
  const bool timed = deadline != nullptr;
  const Op op = timed ? Op::kTimedWriteLock : Op::kWriteLock;
  bool waits = false;
  if (writers_first(lock)) {
    scheduler().point({.op = op, .object = lock, .pc = pc});
    is_used(lock, pc);
    if (may_write(state(lock))) return write(lock);
    ++state(lock).waiting_writers;
    waits = true;
  }
  const bool in_time = wait_point({.op = op, .object = lock, .ready = can_write, .pc = pc, .timed = timed, .holder = holder});
  is_used(lock, pc);
  if (waits) --state(lock).waiting_writers;
  return in_time ? write(lock) : deadline->expire();
}

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) noexcept {
  TARRY_PASS_OBJECT(pthread_rwlock_init, lock, attributes);
  int kind = PTHREAD_RWLOCK_DEFAULT_NP;
  if (attributes != nullptr) pthread_rwlockattr_getkind_np(attributes, &kind);
  makes(lock, TARRY_PC);
  *lock = pthread_rwlock_t{};
  lock->__data.__flags = static_cast<unsigned>(kind);
  if (g_watch.races != nullptr) g_watch.races->forget_object(lock), g_watch.races->forget_object(readers_name(lock));
  return 0;
}
TARRY_TAKEN_OVER int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  TARRY_PASS_OBJECT(pthread_rwlock_destroy, lock);
  makes(lock, TARRY_PC);
  check(lock);
  if (!may_write(state(lock))) misuse("a read-write lock is destroyed while it is locked");
  state(lock).destroyed = kDestroyed;
  if (g_watch.races != nullptr) g_watch.races->forget_object(lock), g_watch.races->forget_object(readers_name(lock));
  return 0;
}
TARRY_TAKEN_OVER int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  TARRY_PASS_OBJECT(pthread_rwlock_rdlock, lock);
  return read_lock(lock, TARRY_PC);
}
TARRY_TAKEN_OVER int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
  TARRY_PASS_OBJECT(pthread_rwlock_timedrdlock, lock, until);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(CLOCK_REALTIME, until);
  return read_lock(lock, TARRY_PC, &deadline);
}
TARRY_TAKEN_OVER int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) noexcept {
  TARRY_PASS_OBJECT(pthread_rwlock_clockrdlock, lock, clock, until);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(clock, until);
  return read_lock(lock, TARRY_PC, &deadline);
}
TARRY_TAKEN_OVER int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  TARRY_PASS_OBJECT(pthread_rwlock_tryrdlock, lock);
  check(lock);
  about_to_take(lock);
  attempt_point({.op = Op::kTryReadLock, .object = lock, .pc = TARRY_PC, .reads = true});
  is_used(lock, TARRY_PC);
  if (!may_read(state(lock)) || scheduler().spurious()) return refuse(lock);
  has_effect();
  return tarry::native::rt::read(lock);
}
TARRY_TAKEN_OVER int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  TARRY_PASS_OBJECT(pthread_rwlock_wrlock, lock);
  return write_lock(lock, TARRY_PC);
}
TARRY_TAKEN_OVER int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
  TARRY_PASS_OBJECT(pthread_rwlock_timedwrlock, lock, until);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(CLOCK_REALTIME, until);
  return write_lock(lock, TARRY_PC, &deadline);
}
TARRY_TAKEN_OVER int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) noexcept {
  TARRY_PASS_OBJECT(pthread_rwlock_clockwrlock, lock, clock, until);
  reads(until, sizeof(*until), accessor(TARRY_PC));
  const Deadline deadline(clock, until);
  return write_lock(lock, TARRY_PC, &deadline);
}
TARRY_TAKEN_OVER int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  TARRY_PASS_OBJECT(pthread_rwlock_trywrlock, lock);
  check(lock);
  about_to_take(lock);
  attempt_point({.op = Op::kTryWriteLock, .object = lock, .pc = TARRY_PC});
  is_used(lock, TARRY_PC);
  if (!may_write(state(lock)) || scheduler().spurious()) return refuse(lock);
  has_effect();
  return tarry::native::rt::write(lock);
}
TARRY_TAKEN_OVER int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  TARRY_PASS_OBJECT(pthread_rwlock_unlock, lock);
  check(lock);
  State& now = state(lock);
  if (now.writer == 0 && now.readers == 0) misuse_of(lock, "unlock of a read-write lock that is not locked");
  if (now.writer != 0 && now.writer != me()) misuse_of(lock, "unlock of a read-write lock that another thread has locked");
  const bool writes = now.writer != 0;
  scheduler().point({.op = Op::kReadWriteUnlock, .object = lock, .pc = TARRY_PC, .reads = !writes});
  is_used(lock, TARRY_PC);
  release(writes ? lock : readers_name(lock));
  if (writes) now.writer = 0;
  else --now.readers;
  has_given_back();
  return 0;
}
