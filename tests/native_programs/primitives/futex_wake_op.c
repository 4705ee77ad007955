/* One call changes the second word, wakes at the first, and at the second if that was 0. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_int first, second;

static void* waits(void* letter) {
  atomic_int* const word = *(char*)letter == 'a' ? &first : &second;
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  note(*(char*)letter);
  return NULL;
}

int main(void) {
  pthread_t a = go(waits, "a"), b = go(waits, "b");
  atomic_store(&first, 1);
  const long woken = syscall(SYS_futex, &first, FUTEX_WAKE_OP_PRIVATE, 1, (void*)1, &second, FUTEX_OP(FUTEX_OP_ADD, 5, FUTEX_OP_CMP_EQ, 0));
  note('.');
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s, woke %ld, second %d", order, woken, atomic_load(&second));
}
