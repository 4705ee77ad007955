/* Two locks with priority inheritance, taken in two orders. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_uint first, second;

static void take(atomic_uint* word) {
  if (syscall(SYS_futex, word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0) abort();
}
static void give(atomic_uint* word) {
  if (syscall(SYS_futex, word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0) abort();
}

static void* backwards(void* unused) {
  (void)unused;
  take(&second);
  take(&first);
  note('b');
  give(&first);
  give(&second);
  return NULL;
}

int main(void) {
  const pthread_t b = go(backwards, NULL);
  take(&first);
  take(&second);
  note('a');
  give(&second);
  give(&first);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
