/* C11 threads: results, detach is not needed. */
#include "outcome.h"

#include <threads.h>

static int body(void* letter) {
  note(*(char*)letter);
  return *(char*)letter - 'a';
}

int main(void) {
  thrd_t a, b;
  int ra = -1, rb = -1;
  thrd_create(&a, body, "b");
  thrd_create(&b, body, "c");
  thrd_join(a, &ra);
  thrd_join(b, &rb);
  OUTCOME("%s %d %d", order, ra, rb);
}
