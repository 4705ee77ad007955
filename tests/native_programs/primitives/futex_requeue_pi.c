/* A condition variable's waiter is moved to the lock of whoever wakes it, and has the lock when it goes on. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_uint condition, lock;

static long call(atomic_uint* word, int operation) { return syscall(SYS_futex, word, operation, 0, NULL, NULL, 0); }

static void* waits(void* unused) {
  (void)unused;
  long result = 0;
  if (call(&lock, FUTEX_LOCK_PI_PRIVATE) != 0) abort();
  if (atomic_load(&condition) == 0) {
    if (call(&lock, FUTEX_UNLOCK_PI_PRIVATE) != 0) abort();
    result = syscall(SYS_futex, &condition, FUTEX_WAIT_REQUEUE_PI_PRIVATE, 0, NULL, &lock, 0) == 0 ? 0 : errno;
    if (result != 0 && call(&lock, FUTEX_LOCK_PI_PRIVATE) != 0) abort();
    note(result == 0 ? 'w' : 'e');
  } else {
    note('n');
  }
  if (call(&lock, FUTEX_UNLOCK_PI_PRIVATE) != 0) abort();
  return NULL;
}

int main(void) {
  const pthread_t a = go(waits, NULL);
  if (call(&lock, FUTEX_LOCK_PI_PRIVATE) != 0) abort();
  atomic_store(&condition, 1);
  const long moved = syscall(SYS_futex, &condition, FUTEX_CMP_REQUEUE_PI_PRIVATE, 1, (void*)1, &lock, 1);
  note('m');
  if (call(&lock, FUTEX_UNLOCK_PI_PRIVATE) != 0) abort();
  pthread_join(a, NULL);
  OUTCOME("%s, moved %ld, then %u", order, moved, atomic_load(&lock));
}
