/* A wait against a clock of one's choice. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag, result = -1;

static void* waiter(void* unused) {
  const struct timespec time = soon(CLOCK_MONOTONIC);
  pthread_mutex_lock(&m);
  result = 0;
  while (!flag && result == 0) result = pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &time);
  pthread_mutex_unlock(&m);
  return unused;
}

static void* setter(void* unused) {
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);
  return unused;
}

int main(void) {
  pthread_t a = go(waiter, NULL), b = go(setter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", name_of(result));
}
