/* A recursive C11 mutex. */
#include "outcome.h"

#include <threads.h>

static mtx_t m;

static int twice(void* letter) {
  mtx_lock(&m);
  mtx_lock(&m);
  note(*(char*)letter);
  mtx_unlock(&m);
  note(*(char*)letter);
  mtx_unlock(&m);
  return 0;
}

int main(void) {
  thrd_t a, b;
  mtx_init(&m, mtx_plain | mtx_recursive);
  thrd_create(&a, twice, "a");
  thrd_create(&b, twice, "b");
  thrd_join(a, NULL);
  thrd_join(b, NULL);
  OUTCOME("%s", order);
}
