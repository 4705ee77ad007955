/* A raw futex whose word is not changed before the wake: the wake may come too early. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_int word;

static void* waits(void* unused) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  return unused;
}

static void* wakes(void* unused) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return unused;
}

int main(void) {
  pthread_t a = go(waits, NULL), b = go(wakes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("woken");
}
