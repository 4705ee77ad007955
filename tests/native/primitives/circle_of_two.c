/* Two threads wait for each other while a third goes on for ever: a deadlock all the same. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void* one(void* unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return unused;
}

static void* other(void* unused) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return unused;
}

int main(void) {
  pthread_t a = go(one, NULL), b = go(other, NULL);
  int tries = 0;
  for (;;) {
    if (pthread_tryjoin_np(a, NULL) == 0) break;
    ++tries;
    sched_yield();
  }
  pthread_join(b, NULL);
  OUTCOME("done");
}
