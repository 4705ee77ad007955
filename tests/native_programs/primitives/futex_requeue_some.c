/* Of three waiters none is woken and one is moved: any of them may be. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_int here, there;

static void* waits(void* letter) {
  syscall(SYS_futex, &here, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  note(*(char*)letter);
  return NULL;
}

int main(void) {
  pthread_t a = go(waits, "a"), b = go(waits, "b");
  const long moved = syscall(SYS_futex, &here, FUTEX_CMP_REQUEUE_PRIVATE, 0, (void*)1, &there, 0);
  const long there_woken = syscall(SYS_futex, &there, FUTEX_WAKE_PRIVATE, 2, NULL, NULL, 0);
  if (there_woken == 1)
    while (atomic_load(&order_length) == 0) sched_yield();
  note('.');
  atomic_store(&here, 1);
  const long rest = syscall(SYS_futex, &here, FUTEX_WAKE_PRIVATE, 2, NULL, NULL, 0);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s, moved %ld, woken there %ld, rest %ld", order, moved, there_woken, rest);
}
