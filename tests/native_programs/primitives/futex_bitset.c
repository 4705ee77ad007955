/* Waiters with masks: a wake with a mask leaves the others alone. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_int word;

static void* waits(void* letter) {
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, *(char*)letter == 'a' ? 1 : 2);
  note(*(char*)letter);
  return NULL;
}

int main(void) {
  pthread_t a = go(waits, "a"), b = go(waits, "b");
  const long first = syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 2, NULL, NULL, 2);
  if (first == 1) pthread_join(b, NULL);
  note('.');
  atomic_store(&word, 1);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 2, NULL, NULL, 0);
  pthread_join(a, NULL);
  if (first == 0) pthread_join(b, NULL);
  OUTCOME("%s, first %ld", order, first);
}
