/* A reader may read again while a writer waits: readers come first by default. */
#include "outcome.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&rw);
  pthread_rwlock_rdlock(&rw);
  note('r');
  pthread_rwlock_unlock(&rw);
  pthread_rwlock_unlock(&rw);
  return unused;
}

static void* writer(void* unused) {
  pthread_rwlock_wrlock(&rw);
  note('w');
  pthread_rwlock_unlock(&rw);
  return unused;
}

int main(void) {
  pthread_t a = go(reader, NULL), b = go(writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
