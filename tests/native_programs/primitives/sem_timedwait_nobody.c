/* Nobody posts: it times out, and is no deadlock. */
#include "outcome.h"

#include <semaphore.h>

static sem_t s;
static int result;

static void* waiter(void* unused) {
  const struct timespec time = soon(CLOCK_REALTIME);
  result = sem_timedwait(&s, &time) == 0 ? 0 : errno;
  return unused;
}

int main(void) {
  sem_init(&s, 0, 0);
  pthread_t a = go(waiter, NULL);
  pthread_join(a, NULL);
  OUTCOME("%s", name_of(result));
}
