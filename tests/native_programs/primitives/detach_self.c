/* A thread that detaches itself and says when it is nearly done. */
#include "outcome.h"

#include <semaphore.h>

static sem_t done;

static void* detached(void* letter) {
  pthread_detach(pthread_self());
  note(*(char*)letter);
  sem_post(&done);
  return NULL;
}

int main(void) {
  sem_init(&done, 0, 0);
  go(detached, "a");
  go(detached, "b");
  sem_wait(&done);
  sem_wait(&done);
  OUTCOME("%s", order);
}
