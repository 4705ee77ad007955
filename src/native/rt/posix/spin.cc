// Spin locks. A thread that spins waits: it takes part again when the lock is free. Free is 1, as in glibc on this machine; locked is minus the
// owner's number + 1.
#include <pthread.h>

#include <cerrno>

#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/taking.h"

namespace tarry::native::rt {
namespace {

constexpr int kFree = 1;
constexpr int kDestroyed = 0x5eed;

int value(const Operation& operation) { return *static_cast<const volatile int*>(operation.object); }
bool is_free(const Operation& operation) { return value(operation) == kFree; }
std::uint32_t holder(const Operation& operation) { return value(operation) < 0 ? static_cast<std::uint32_t>(-value(operation)) : 0; }
const void* name(const pthread_spinlock_t* lock) { return const_cast<const int*>(lock); }

void check(const pthread_spinlock_t* lock) {
  const int now = *lock;
  if (now < 0 || now == kFree) [[likely]] return;
  misuse_of(name(lock), now == kDestroyed ? "a spin lock is used that was destroyed" : "a spin lock is used that was not initialized");
}

/// After the point of an operation: others may have destroyed it, or freed its memory.
void is_used(const pthread_spinlock_t* lock, std::uintptr_t pc) {
  operates(name(lock), pc, sizeof(*lock));
  check(lock);
}

int take(pthread_spinlock_t* lock) {
  *lock = -static_cast<int>(me());
  has_taken(name(lock));
  acquire(name(lock));
  return 0;
}

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
  TARRY_PASS_OBJECT(pthread_spin_init, lock, shared);
  makes(name(lock), TARRY_PC, sizeof(*lock));
  *lock = kFree;
  if (g_watch.races != nullptr) g_watch.races->forget_object(name(lock));
  return 0;
}
TARRY_TAKEN_OVER int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  TARRY_PASS_OBJECT(pthread_spin_destroy, lock);
  makes(name(lock), TARRY_PC, sizeof(*lock));
  check(lock);
  if (*lock != kFree) misuse("a spin lock is destroyed while it is locked");
  *lock = kDestroyed;
  if (g_watch.races != nullptr) g_watch.races->forget_object(name(lock));
  return 0;
}
TARRY_TAKEN_OVER int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  TARRY_PASS_OBJECT(pthread_spin_lock, lock);
  check(lock);
  about_to_take(name(lock));
  wait_point({.op = Op::kSpinLock, .object = name(lock), .ready = is_free, .pc = TARRY_PC, .holder = holder});
  is_used(lock, TARRY_PC);
  return take(lock);
}
TARRY_TAKEN_OVER int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  TARRY_PASS_OBJECT(pthread_spin_trylock, lock);
  check(lock);
  about_to_take(name(lock));
  attempt_point({.op = Op::kSpinTryLock, .object = name(lock), .pc = TARRY_PC});
  is_used(lock, TARRY_PC);
  if (*lock == kFree) {
    has_effect();
    return take(lock);
  }
  only_looked(name(lock), sizeof(*lock));
  was_refused(name(lock));
  g_watch.weak_atomics = true;  // glibc unlocks by a plain store: another thread may see it after later loads of the thread that unlocked
  return EBUSY;
}
TARRY_TAKEN_OVER int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  TARRY_PASS_OBJECT(pthread_spin_unlock, lock);
  check(lock);
  if (*lock == kFree) misuse_of(name(lock), "unlock of a spin lock that is not locked");
  if (*lock != -static_cast<int>(me())) misuse_of(name(lock), "unlock of a spin lock that another thread has locked");
  scheduler().point({.op = Op::kSpinUnlock, .object = name(lock), .pc = TARRY_PC});
  is_used(lock, TARRY_PC);
  release(name(lock));
  *lock = kFree;
  has_given_back();
  return 0;
}
