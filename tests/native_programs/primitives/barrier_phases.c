/* Nobody leaves before all have come, twice in a row. */
#include "outcome.h"

static pthread_barrier_t barrier;

static void* phases(void* letters) {
  note(((char*)letters)[0]);
  pthread_barrier_wait(&barrier);
  note(((char*)letters)[1]);
  pthread_barrier_wait(&barrier);
  note(((char*)letters)[2]);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t a = go(phases, "aAx"), b = go(phases, "bBy");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
