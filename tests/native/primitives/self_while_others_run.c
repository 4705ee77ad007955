/* A thread that locks a normal mutex twice is stuck, though main could end the program. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* twice(void* unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  return unused;
}

int main(void) {
  pthread_detach(go(twice, NULL));
  OUTCOME("ended first");
}
