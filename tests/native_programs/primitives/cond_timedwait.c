/* One timed wait: signalled, or timed out; and what is there when it has the mutex again. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag, result = -1, seen;

static void* waiter(void* unused) {
  const struct timespec time = soon(CLOCK_REALTIME);
  pthread_mutex_lock(&m);
  if (!flag) result = pthread_cond_timedwait(&c, &m, &time);
  seen = flag;
  pthread_mutex_unlock(&m);
  return unused;
}

static void* setter(void* unused) {
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a = go(waiter, NULL), b = go(setter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s, sees %d", result < 0 ? "did not wait" : name_of(result), seen);
}
