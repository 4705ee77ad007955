/* A post lets any one of those that wait go on. */
#include "outcome.h"

#include <semaphore.h>

static sem_t s;

static void* waiter(void* letter) {
  sem_wait(&s);
  note(*(char*)letter);
  sem_post(&s);
  return NULL;
}

int main(void) {
  sem_init(&s, 0, 0);
  pthread_t a = go(waiter, "a"), b = go(waiter, "b"), c = go(waiter, "c");
  sem_post(&s);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  OUTCOME("%s", order);
}
