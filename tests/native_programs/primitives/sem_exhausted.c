/* Two units for three threads that keep them. */
#include "outcome.h"

#include <semaphore.h>

static sem_t s;

static void* keep(void* unused) {
  sem_wait(&s);
  return unused;
}

int main(void) {
  sem_init(&s, 0, 2);
  pthread_t a = go(keep, NULL), b = go(keep, NULL), c = go(keep, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  OUTCOME("not reached");
}
