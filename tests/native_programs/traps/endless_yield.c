/* A thread that never ends, and yields: a fair execution without end. */
#include <pthread.h>
#include <sched.h>

static void* spins(void* unused) {
  for (;;) sched_yield();
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, spins, NULL);
  pthread_join(a, NULL);
}
