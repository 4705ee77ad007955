/* With --spurious a wait may end without a signal; a try to lock may fail though nobody has the mutex. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void* waits(void* unused) {
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_wait(&c, &m);
  note(ready ? 'r' : 'n');
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a = go(waits, NULL);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, NULL);
  OUTCOME("%s %s", order, name_of(pthread_mutex_trylock(&m)));
}
