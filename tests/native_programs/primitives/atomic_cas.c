/* A compare-and-swap says what was there. */
#include "outcome.h"

static atomic_int x;

static void* swap(void* seen) {
  int expected = 0;
  atomic_compare_exchange_strong(&x, &expected, 1);
  *(int*)seen = expected;
  return NULL;
}

static void* exchange(void* seen) {
  *(int*)seen = atomic_exchange(&x, 2);
  return NULL;
}

int main(void) {
  int ra = -1, rb = -1;
  pthread_t a = go(swap, &ra), b = go(exchange, &rb);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%d %d %d", ra, rb, atomic_load(&x));
}
