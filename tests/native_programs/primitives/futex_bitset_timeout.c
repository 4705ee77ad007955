/* A wait with a mask up to a moment: a wake with another mask does not reach it. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_int word;

static void* waits(void* unused) {
  (void)unused;
  const struct timespec until = soon(CLOCK_REALTIME);
  return (void*)(long)(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0, &until, NULL, 2) == 0 ? 0 : errno);
}

int main(void) {
  const pthread_t a = go(waits, NULL);
  const long others = syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 1);
  const long woken = syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 3);
  void* result;
  pthread_join(a, &result);
  OUTCOME("%ld %ld, %s", others, woken, name_of((int)(long)result));
}
