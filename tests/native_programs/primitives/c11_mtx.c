/* A C11 mutex, with a try. */
#include "outcome.h"

#include <threads.h>

static mtx_t m;
static int tried;

static int locks(void* unused) {
  (void)unused;
  mtx_lock(&m);
  note('l');
  mtx_unlock(&m);
  return 0;
}

static int tries(void* unused) {
  (void)unused;
  tried = mtx_trylock(&m);
  if (tried != thrd_success) return 0;
  note('t');
  mtx_unlock(&m);
  return 0;
}

int main(void) {
  thrd_t a, b;
  mtx_init(&m, mtx_plain);
  thrd_create(&a, locks, NULL);
  thrd_create(&b, tries, NULL);
  thrd_join(a, NULL);
  thrd_join(b, NULL);
  OUTCOME("%s %s", order, tried == thrd_success ? "success" : tried == thrd_busy ? "busy" : "error");
}
