/* With writers first, a reader that reads again may wait for a writer that waits for the reader. */
#include "outcome.h"

static pthread_rwlock_t rw;

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
  pthread_rwlockattr_t writers_first;
  pthread_rwlockattr_init(&writers_first);
  pthread_rwlockattr_setkind_np(&writers_first, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&rw, &writers_first);
  pthread_t a = go(reader, NULL), b = go(writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
