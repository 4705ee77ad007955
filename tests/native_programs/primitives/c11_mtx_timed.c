/* A C11 mutex with a time limit. */
#include "outcome.h"

#include <threads.h>

static mtx_t m;
static int result;

static int locks(void* unused) {
  (void)unused;
  mtx_lock(&m);
  mtx_unlock(&m);
  return 0;
}

static int timed(void* unused) {
  (void)unused;
  const struct timespec time = soon(CLOCK_REALTIME);
  result = mtx_timedlock(&m, &time);
  if (result == thrd_success) mtx_unlock(&m);
  return 0;
}

int main(void) {
  thrd_t a, b;
  mtx_init(&m, mtx_timed);
  thrd_create(&a, locks, NULL);
  thrd_create(&b, timed, NULL);
  thrd_join(a, NULL);
  thrd_join(b, NULL);
  OUTCOME("%s", result == thrd_success ? "success" : result == thrd_timedout ? "timed out" : "error");
}
