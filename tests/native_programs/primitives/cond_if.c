/* Between the signal and the waiter's return another thread may have the mutex: `if` instead of `while`. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;

static void* consumer(void* unused) {
  pthread_mutex_lock(&m);
  if (items == 0) pthread_cond_wait(&c, &m);
  --items;
  pthread_mutex_unlock(&m);
  return unused;
}

static void* passer_by(void* unused) {
  pthread_mutex_lock(&m);
  if (items > 0) --items;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a = go(consumer, NULL), b = go(passer_by, NULL);
  pthread_mutex_lock(&m);
  ++items;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%d items", items);
}
