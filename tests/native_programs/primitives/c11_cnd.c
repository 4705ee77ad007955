/* A C11 condition variable; the waiter looks once. */
#include "outcome.h"

#include <threads.h>

static mtx_t m;
static cnd_t c;
static int flag;

static int waits(void* unused) {
  (void)unused;
  mtx_lock(&m);
  if (!flag) cnd_wait(&c, &m);
  note('w');
  mtx_unlock(&m);
  return 0;
}

static int sets(void* unused) {
  (void)unused;
  mtx_lock(&m);
  flag = 1;
  cnd_signal(&c);
  note('s');
  mtx_unlock(&m);
  return 0;
}

int main(void) {
  thrd_t a, b;
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&a, waits, NULL);
  thrd_create(&b, sets, NULL);
  thrd_join(a, NULL);
  thrd_join(b, NULL);
  OUTCOME("%s", order);
}
