/* pthread_kill: a signal to another thread, whose handler says so. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int seen;

static void handler(int number) { atomic_store(&seen, number); }

static void* waits(void* unused) {
  while (atomic_load(&seen) == 0) sched_yield();
  return unused;
}

int main(void) {
  pthread_t a;
  signal(SIGUSR1, handler);
  pthread_create(&a, NULL, waits, NULL);
  assert(pthread_kill(a, SIGUSR1) == 0);
  pthread_join(a, NULL);
  assert(atomic_load(&seen) == SIGUSR1);
}
