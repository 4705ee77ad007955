/* Created detached, by attribute. */
#include "outcome.h"

static atomic_int runs;

static void* detached(void* unused) {
  atomic_fetch_add(&runs, 1);
  return unused;
}

int main(void) {
  pthread_attr_t attribute;
  pthread_t a;
  pthread_attr_init(&attribute);
  pthread_attr_setdetachstate(&attribute, PTHREAD_CREATE_DETACHED);
  pthread_create(&a, &attribute, detached, NULL);
  pthread_attr_destroy(&attribute);
  OUTCOME("%d", atomic_load(&runs));
}
