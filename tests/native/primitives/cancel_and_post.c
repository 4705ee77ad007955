/* A semaphore is posted for a thread that has been canceled: it may have looked for the request before that came, and takes the unit. Not if the request came
   first, as for the thread that is let go behind it. */
#include "outcome.h"
#include <pthread.h>
#include <semaphore.h>

static sem_t s, go_on;

static void* waits(void* unused) {
  sem_wait(&s);
  return unused;
}
static void* waits_later(void* unused) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  sem_wait(&go_on);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  sem_wait(&s);
  return unused;
}

int main(void) {
  void *one, *other;
  sem_init(&s, 0, 0);
  sem_init(&go_on, 0, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, waits, NULL);
  pthread_cancel(a);
  sem_post(&s);
  pthread_join(a, &one);
  int left;
  sem_getvalue(&s, &left);
  if (left == 0) sem_post(&s);
  pthread_create(&b, NULL, waits_later, NULL);
  pthread_cancel(b);
  sem_post(&go_on);
  pthread_join(b, &other);
  OUTCOME("%s with %d left, %s", one == PTHREAD_CANCELED ? "canceled" : "ended", left, other == PTHREAD_CANCELED ? "canceled" : "ended");
}
