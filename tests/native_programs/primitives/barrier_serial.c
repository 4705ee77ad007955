/* Exactly one of the threads is told that it is the serial one; it may be any. */
#include "outcome.h"

static pthread_barrier_t barrier;

static void* arrive(void* letter) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) note(*(char*)letter);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_t a = go(arrive, "a"), b = go(arrive, "b"), c = go(arrive, "c");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  OUTCOME("serial %s", order);
}
