/* A thread that is canceled in a wait has the mutex when its cleanup runs, and has taken no signal from anybody. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void cleanup(void* unused) {
  (void)unused;
  note('c');
  pthread_mutex_unlock(&m);
}

static void* waiter(void* unused) {
  pthread_mutex_lock(&m);
  note('w');
  pthread_cleanup_push(cleanup, NULL);
  pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(1);
  return unused;
}

int main(void) {
  void* value;
  pthread_t a = go(waiter, NULL);
  pthread_mutex_lock(&m);
  note('m');
  pthread_mutex_unlock(&m);
  pthread_cancel(a);
  pthread_join(a, &value);
  OUTCOME("%s %s", order, value == PTHREAD_CANCELED ? "canceled" : "ended");
}
