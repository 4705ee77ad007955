/* Two tries for one unit. */
#include "outcome.h"

#include <semaphore.h>

static sem_t s;

static void* try_it(void* result) {
  *(int*)result = sem_trywait(&s) == 0 ? 0 : errno;
  if (*(int*)result == 0) sem_post(&s);
  return NULL;
}

int main(void) {
  int ra = -1, rb = -1, value;
  sem_init(&s, 0, 1);
  pthread_t a = go(try_it, &ra), b = go(try_it, &rb);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  sem_getvalue(&s, &value);
  OUTCOME("%s %s, left %d", name_of(ra), name_of(rb), value);
}
