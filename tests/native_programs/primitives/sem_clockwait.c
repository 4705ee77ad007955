/* A semaphore with a clock of one's choice. */
#include "outcome.h"

#include <semaphore.h>

static sem_t s;
static int result;

static void* poster(void* unused) {
  sem_post(&s);
  return unused;
}

static void* waiter(void* unused) {
  const struct timespec time = soon(CLOCK_MONOTONIC);
  result = sem_clockwait(&s, CLOCK_MONOTONIC, &time) == 0 ? 0 : errno;
  return unused;
}

int main(void) {
  int value;
  sem_init(&s, 0, 0);
  pthread_t a = go(poster, NULL), b = go(waiter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  sem_getvalue(&s, &value);
  OUTCOME("%s, left %d", name_of(result), value);
}
