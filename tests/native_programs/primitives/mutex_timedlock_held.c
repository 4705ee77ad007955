/* Nobody unlocks: it times out, and is no deadlock. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int result;

static void* timed(void* unused) {
  const struct timespec time = soon(CLOCK_REALTIME);
  result = pthread_mutex_timedlock(&m, &time);
  return unused;
}

int main(void) {
  pthread_mutex_lock(&m);
  pthread_t a = go(timed, NULL);
  pthread_join(a, NULL);
  OUTCOME("%s", name_of(result));
}
