/* thrd_exit, with a value; thrd_yield and thrd_sleep on the way. */
#include "outcome.h"

#include <threads.h>

static int leaves(void* letter) {
  const struct timespec moment = {0, 1000};
  thrd_yield();
  thrd_sleep(&moment, NULL);
  note(*(char*)letter);
  thrd_exit(*(char*)letter - 'a' + 1);
}

int main(void) {
  thrd_t a, b;
  int ra, rb;
  thrd_create(&a, leaves, "a");
  thrd_create(&b, leaves, "b");
  thrd_join(a, &ra);
  thrd_join(b, &rb);
  OUTCOME("%s %d %d", order, ra, rb);
}
