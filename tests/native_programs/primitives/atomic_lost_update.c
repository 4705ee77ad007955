/* A load and a store are two steps, a fetch-and-add is one. */
#include "outcome.h"

static atomic_int x;

static void* adds(void* unused) {
  atomic_fetch_add(&x, 10);
  return unused;
}

static void* loads_and_stores(void* unused) {
  atomic_store(&x, atomic_load(&x) + 1);
  return unused;
}

int main(void) {
  pthread_t a = go(adds, NULL), b = go(loads_and_stores, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%d", atomic_load(&x));
}
