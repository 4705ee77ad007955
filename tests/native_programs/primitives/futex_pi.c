/* A lock with priority inheritance: whoever has it is alone, and an unlock hands it to a waiter. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_uint word;

static void* locks(void* letter) {
  if (syscall(SYS_futex, &word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0) abort();
  note(*(char*)letter);
  note(*(char*)letter);
  if (syscall(SYS_futex, &word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0) abort();
  return NULL;
}

int main(void) {
  pthread_t a = go(locks, "a"), b = go(locks, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s, then %u", order, atomic_load(&word));
}
