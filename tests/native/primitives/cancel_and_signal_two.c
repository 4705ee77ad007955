/* A thread that waits for a condition is canceled and signalled: if it is canceled, the other thread that waits is woken. */
#include "outcome.h"
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, woken;

static void unlock(void* unused) {
  (void)unused;
  pthread_mutex_unlock(&m);
}

static void* waits(void* unused) {
  pthread_mutex_lock(&m);
  waiting++;
  pthread_cleanup_push(unlock, NULL);
  pthread_cond_wait(&c, &m);
  woken++;
  pthread_cleanup_pop(1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  void* value;
  const int count = 2;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, waits, NULL);
  pthread_mutex_lock(&m);
  const int all = waiting == count;
  if (all) {
    pthread_cancel(threads[0]);
    pthread_cond_signal(&c);
  }
  pthread_mutex_unlock(&m);
  if (!all) exit(0);
  pthread_join(threads[0], &value);
  const int canceled = value == PTHREAD_CANCELED;
  if (canceled) pthread_join(threads[1], NULL);
  OUTCOME("%s, woken %d", canceled ? "canceled" : "ended", woken);
}
