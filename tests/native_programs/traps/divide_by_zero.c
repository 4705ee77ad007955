/* A division by zero, on some schedules. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor;

static void* sets(void* unused) {
  atomic_store(&divisor, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, sets, NULL);
  volatile int quotient = 10 / atomic_load(&divisor);
  pthread_join(a, NULL);
  return quotient - 10;
}
