/* With --faults a thread may not be had, and a wait may be interrupted. */
#include "outcome.h"

#include <semaphore.h>

static sem_t s;

static void* posts(void* unused) {
  sem_post(&s);
  return unused;
}

int main(void) {
  pthread_t a;
  sem_init(&s, 0, 0);
  const int created = pthread_create(&a, NULL, posts, NULL);
  if (created != 0) {
    OUTCOME("%s", name_of(created));
    return 0;
  }
  const int interrupted = sem_wait(&s) != 0 && errno == EINTR;
  pthread_join(a, NULL);
  OUTCOME("%s", interrupted ? "interrupted" : "posted");
}
