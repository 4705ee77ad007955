/* A semaphore makes one thread wait for another one. */
#include "outcome.h"

#include <semaphore.h>

static sem_t s;

static void* poster(void* unused) {
  note('1');
  sem_post(&s);
  note('3');
  return unused;
}

static void* waiter(void* unused) {
  sem_wait(&s);
  note('2');
  return unused;
}

int main(void) {
  sem_init(&s, 0, 0);
  pthread_t a = go(poster, NULL), b = go(waiter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
