/* One thread too few. */
#include "outcome.h"

static pthread_barrier_t barrier;

static void* arrive(void* unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_t a = go(arrive, NULL), b = go(arrive, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("not reached");
}
