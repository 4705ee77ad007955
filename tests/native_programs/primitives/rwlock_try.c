/* What can be had beside a reader, and beside a writer. */
#include "outcome.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int read_result, write_result;

static void* holder(void* writes) {
  if (writes) pthread_rwlock_wrlock(&rw);
  else pthread_rwlock_rdlock(&rw);
  note(writes ? 'w' : 'r');
  pthread_rwlock_unlock(&rw);
  return NULL;
}

static void* tries(void* unused) {
  if ((read_result = pthread_rwlock_tryrdlock(&rw)) == 0) pthread_rwlock_unlock(&rw);
  if ((write_result = pthread_rwlock_trywrlock(&rw)) == 0) pthread_rwlock_unlock(&rw);
  return unused;
}

int main(void) {
  pthread_t a = go(holder, NULL), b = go(holder, "w"), c = go(tries, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  OUTCOME("%s: read %s, write %s", order, name_of(read_result), name_of(write_result));
}
