/* A detached thread has run or not when main ends. */
#include "outcome.h"

static atomic_int runs;

static void* detached(void* unused) {
  atomic_fetch_add(&runs, 1);
  return unused;
}

int main(void) {
  pthread_detach(go(detached, NULL));
  OUTCOME("%d", atomic_load(&runs));
}
