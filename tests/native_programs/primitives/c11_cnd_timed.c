/* A C11 condition variable with a time limit. */
#include "outcome.h"

#include <threads.h>

static mtx_t m;
static cnd_t c;
static int result;

static int waits(void* unused) {
  (void)unused;
  const struct timespec time = soon(CLOCK_REALTIME);
  mtx_lock(&m);
  result = cnd_timedwait(&c, &m, &time);
  mtx_unlock(&m);
  return 0;
}

static int signals(void* unused) {
  (void)unused;
  mtx_lock(&m);
  cnd_broadcast(&c);
  mtx_unlock(&m);
  return 0;
}

int main(void) {
  thrd_t a, b;
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&a, waits, NULL);
  thrd_create(&b, signals, NULL);
  thrd_join(a, NULL);
  thrd_join(b, NULL);
  OUTCOME("%s", result == thrd_success ? "success" : result == thrd_timedout ? "timed out" : "error");
}
