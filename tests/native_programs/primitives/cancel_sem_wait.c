/* A thread that waits for ever can be canceled, before it waits or while it does. */
#include "outcome.h"

#include <semaphore.h>

static sem_t s;

static void* waiter(void* unused) {
  note('w');
  sem_wait(&s);
  return unused;
}

int main(void) {
  void* value;
  sem_init(&s, 0, 0);
  pthread_t a = go(waiter, NULL);
  note('c');
  pthread_cancel(a);
  pthread_join(a, &value);
  OUTCOME("%s %s", order, value == PTHREAD_CANCELED ? "canceled" : "ended");
}
