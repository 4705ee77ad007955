/* A wait for a lock with priority inheritance may end by its time-out; FUTEX_LOCK_PI2 has a clock of its own. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_uint word;

static void* locks(void* unused) {
  (void)unused;
  const struct timespec until = soon(CLOCK_MONOTONIC);
  const int result = syscall(SYS_futex, &word, 13 /* FUTEX_LOCK_PI2 */ | FUTEX_PRIVATE_FLAG, 0, &until, NULL, 0) == 0 ? 0 : errno;
  if (result == 0 && syscall(SYS_futex, &word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0) abort();
  return (void*)(long)result;
}

int main(void) {
  if (syscall(SYS_futex, &word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0) abort();
  const pthread_t a = go(locks, NULL);
  if (syscall(SYS_futex, &word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0) abort();
  void* result;
  pthread_join(a, &result);
  OUTCOME("%s, then %u", name_of((int)(long)result), atomic_load(&word));
}
