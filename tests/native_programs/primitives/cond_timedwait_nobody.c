/* Nobody signals: a timed wait ends all the same. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int result;

static void* waiter(void* unused) {
  const struct timespec time = soon(CLOCK_REALTIME);
  pthread_mutex_lock(&m);
  result = pthread_cond_timedwait(&c, &m, &time);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a = go(waiter, NULL);
  pthread_mutex_lock(&m);
  note('m');
  pthread_mutex_unlock(&m);
  pthread_join(a, NULL);
  OUTCOME("%s", name_of(result));
}
