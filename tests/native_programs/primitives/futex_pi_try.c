/* The lock of another is not had by trying, and not given back by a stranger; one's own is an error. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_uint word;

static long call(int operation) { return syscall(SYS_futex, &word, operation, 0, NULL, NULL, 0) == 0 ? 0 : errno; }

static void* tries(void* unused) {
  (void)unused;
  const long got = call(FUTEX_TRYLOCK_PI_PRIVATE);
  return (void*)(got != 0 ? got : call(FUTEX_UNLOCK_PI_PRIVATE));
}

int main(void) {
  const long stranger = call(FUTEX_UNLOCK_PI_PRIVATE);
  const pthread_t a = go(tries, NULL);
  if (call(FUTEX_LOCK_PI_PRIVATE) != 0) abort();
  const long again = call(FUTEX_LOCK_PI_PRIVATE);
  const long trying = call(FUTEX_TRYLOCK_PI_PRIVATE);
  if (call(FUTEX_UNLOCK_PI_PRIVATE) != 0) abort();
  void* result;
  pthread_join(a, &result);
  OUTCOME("%s, %s %s, other %s", name_of((int)stranger), name_of((int)again), name_of((int)trying), name_of((int)(long)result));
}
