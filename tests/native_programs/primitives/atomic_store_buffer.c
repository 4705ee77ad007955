/* Each stores, then looks at the other: under sequential consistency at least one sees. */
#include "outcome.h"

static atomic_int x, y;

static void* store_x(void* seen) {
  atomic_store(&x, 1);
  *(int*)seen = atomic_load(&y);
  return NULL;
}

static void* store_y(void* seen) {
  atomic_store(&y, 1);
  *(int*)seen = atomic_load(&x);
  return NULL;
}

int main(void) {
  int ra = -1, rb = -1;
  pthread_t a = go(store_x, &ra), b = go(store_y, &rb);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%d %d", ra, rb);
}
