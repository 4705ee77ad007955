/* A join with a time limit. */
#include "outcome.h"

static void* quick(void* unused) { return unused; }

int main(void) {
  const struct timespec time = soon(CLOCK_REALTIME);
  pthread_t a = go(quick, NULL);
  const int first = pthread_timedjoin_np(a, NULL, &time);
  if (first != 0) pthread_join(a, NULL);
  OUTCOME("%s", name_of(first));
}
