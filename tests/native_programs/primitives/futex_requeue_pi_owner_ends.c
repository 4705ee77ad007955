/* A waiter is moved to a lock whose owner ends: before that it gets the lock, and is told; behind it, it cannot be moved. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_uint changed, word;

static long call(atomic_uint* address, int operation, unsigned value, void* second, atomic_uint* other, unsigned last) {
  const long result = syscall(SYS_futex, address, operation, value, second, other, last);
  return result < 0 ? -errno : result;
}

static void* ends(void* unused) {
  (void)unused;
  if (call(&word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0) abort();
  return NULL;
}

static void* waits(void* result) {
  if (call(&changed, FUTEX_WAIT_REQUEUE_PI_PRIVATE, 0, NULL, &word, 0) != 0) return NULL;
  *(const char**)result = atomic_load(&word) & FUTEX_OWNER_DIED ? "died" : "0";
  if (call(&word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0) abort();
  return NULL;
}

int main(void) {
  const char* result = "EAGAIN";
  const pthread_t owner = go(ends, NULL), waiter = go(waits, &result);
  const long moved = call(&changed, FUTEX_CMP_REQUEUE_PI_PRIVATE, 1, NULL, &word, 0);
  atomic_store(&changed, 1);
  if (moved == 1) pthread_join(waiter, NULL);
  pthread_join(owner, NULL);
  OUTCOME("moved %s, waiter %s", moved < 0 ? name_of(-(int)moved) : moved == 1 ? "1" : "none", moved == 1 ? result : "left");
}
