/* A thread that ends only after the join has given up. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* stuck(void* unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  const struct timespec time = soon(CLOCK_REALTIME);
  pthread_mutex_lock(&m);
  pthread_t a = go(stuck, NULL);
  const int first = pthread_timedjoin_np(a, NULL, &time);
  pthread_mutex_unlock(&m);
  if (first != 0) pthread_join(a, NULL);
  OUTCOME("%s", name_of(first));
}
