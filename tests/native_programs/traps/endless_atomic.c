/* A thread that spins for ever on an atomic variable, without a yield. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never;

static void* spins(void* unused) {
  while (atomic_load(&never) == 0) {
  }
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, spins, NULL);
  pthread_join(a, NULL);
}
