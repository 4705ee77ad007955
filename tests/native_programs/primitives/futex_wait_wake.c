/* A raw futex: the wait returns at once if the word has changed, else it is woken. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_int word;
static int result;
static long woken;

static void* waits(void* unused) {
  result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) == 0 ? 0 : errno;
  return unused;
}

static void* wakes(void* unused) {
  atomic_store(&word, 1);
  woken = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return unused;
}

int main(void) {
  pthread_t a = go(waits, NULL), b = go(wakes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s, woke %ld", name_of(result), woken);
}
