/* A reader that wants to write waits for itself. */
#include "outcome.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void* upgrade(void* unused) {
  pthread_rwlock_rdlock(&rw);
  pthread_rwlock_wrlock(&rw);
  return unused;
}

int main(void) {
  pthread_t a = go(upgrade, NULL);
  pthread_join(a, NULL);
  OUTCOME("not reached");
}
