/* A named semaphore: two opens of one name are one semaphore. */
#include "outcome.h"

#include <fcntl.h>
#include <semaphore.h>

static void* posts(void* unused) {
  sem_t* s = sem_open("/tarry-test", 0);
  note('p');
  sem_post(s);
  sem_close(s);
  return unused;
}

int main(void) {
  sem_t* s = sem_open("/tarry-test", O_CREAT | O_EXCL, 0600, 0);
  pthread_t a = go(posts, NULL);
  sem_wait(s);
  note('w');
  pthread_join(a, NULL);
  sem_unlink("/tarry-test");
  OUTCOME("%s %s", order, sem_open("/tarry-test", 0) == SEM_FAILED ? "gone" : "still there");
}
