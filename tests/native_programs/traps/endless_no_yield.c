/* A thread that never ends and never yields, and touches nothing that anybody sees. */
#include <pthread.h>

static void* spins(void* unused) {
  for (volatile unsigned i = 0;; ++i) {
  }
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, spins, NULL);
  pthread_join(a, NULL);
}
