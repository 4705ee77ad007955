/* A wait for any of two words: which one woke it is told; a word that differs ends it at once. */
#include "outcome.h"

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>

static atomic_uint first, second;

static void* waits(void* unused) {
  (void)unused;
  struct futex_waitv words[2] = {{0, (uintptr_t)&first, 2 | FUTEX_PRIVATE_FLAG, 0}, {0, (uintptr_t)&second, 2 | FUTEX_PRIVATE_FLAG, 0}};
  const long result = syscall(449 /* futex_waitv */, words, 2, 0, NULL, CLOCK_MONOTONIC);
  return (void*)(result >= 0 ? result : -(long)errno);
}

int main(void) {
  const pthread_t a = go(waits, NULL);
  atomic_store(&second, 1);
  const long woke_second = syscall(SYS_futex, &second, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  atomic_store(&first, 1);
  const long woke_first = syscall(SYS_futex, &first, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  void* result;
  pthread_join(a, &result);
  OUTCOME("%ld %ld, %s %ld", woke_second, woke_first, (long)result < 0 ? name_of(-(int)(long)result) : "index", (long)result < 0 ? 0 : (long)result);
}
