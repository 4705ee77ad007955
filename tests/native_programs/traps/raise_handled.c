/* A signal to oneself, with a handler; it runs in the thread that raised it. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static _Thread_local volatile sig_atomic_t seen;

static void handler(int number) { seen = number; }

static void* raises(void* unused) {
  raise(SIGUSR1);
  assert(seen == SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t a;
  signal(SIGUSR1, handler);
  pthread_create(&a, NULL, raises, NULL);
  pthread_join(a, NULL);
  assert(seen == 0);
}
