/* A raw futex wait with a time limit that nobody wakes. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_int word;
static int result;

static void* waits(void* unused) {
  const struct timespec time = {0, 1000000};
  result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0) == 0 ? 0 : errno;
  return unused;
}

static void* changes(void* unused) {
  atomic_store(&word, 1);
  return unused;
}

int main(void) {
  pthread_t a = go(waits, NULL), b = go(changes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", name_of(result));
}
