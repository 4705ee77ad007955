/* Of two that wait for a raw futex, a wake for one wakes either; a second wake wakes the rest. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_int word, turn;

static void* waits(void* letter) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  note(*(char*)letter);
  atomic_store(&turn, 1);
  syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return NULL;
}

int main(void) {
  pthread_t a = go(waits, "a"), b = go(waits, "b");
  const long first = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  if (first == 1)
    while (atomic_load(&turn) == 0) syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  atomic_store(&word, 1);
  const long rest = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 2, NULL, NULL, 0);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s, woke %ld, then %ld", order, first, rest);
}
