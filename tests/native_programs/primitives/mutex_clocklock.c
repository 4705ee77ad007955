/* The same with a clock of one's choice. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int result;

static void* holder(void* unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

static void* timed(void* unused) {
  const struct timespec time = soon(CLOCK_MONOTONIC);
  result = pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &time);
  if (result == 0) pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a = go(holder, NULL), b = go(timed, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", name_of(result));
}
