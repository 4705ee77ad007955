/* A thread is canceled while it joins; the other one can still be joined. */
#include "outcome.h"

#include <semaphore.h>

static sem_t s;
static pthread_t first;

static void* waits(void* unused) {
  sem_wait(&s);
  return unused;
}

static void* joins(void* unused) {
  pthread_join(first, NULL);
  return unused;
}

int main(void) {
  void* value;
  sem_init(&s, 0, 0);
  first = go(waits, NULL);
  pthread_t second = go(joins, NULL);
  pthread_cancel(second);
  pthread_join(second, &value);
  sem_post(&s);
  const int result = pthread_join(first, NULL);
  OUTCOME("%s, then %s", value == PTHREAD_CANCELED ? "canceled" : "ended", name_of(result));
}
