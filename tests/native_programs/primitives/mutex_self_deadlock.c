/* A normal mutex locked twice by the same thread blocks it for ever. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* twice(void* unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  return unused;
}

int main(void) {
  pthread_t a = go(twice, NULL);
  pthread_join(a, NULL);
  OUTCOME("not reached");
}
