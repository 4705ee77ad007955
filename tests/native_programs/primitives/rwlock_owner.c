/* What the writer itself can have; glibc tells it of its own deadlocks. */
#include "outcome.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int read_result, write_result, try_result, other;

static void* owner(void* unused) {
  pthread_rwlock_wrlock(&rw);
  read_result = pthread_rwlock_rdlock(&rw);
  write_result = pthread_rwlock_wrlock(&rw);
  try_result = pthread_rwlock_trywrlock(&rw);
  pthread_rwlock_unlock(&rw);
  return unused;
}

static void* stranger(void* unused) {
  other = pthread_rwlock_tryrdlock(&rw);
  if (other == 0) pthread_rwlock_unlock(&rw);
  return unused;
}

int main(void) {
  pthread_t a = go(owner, NULL), b = go(stranger, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("read %s, write %s, try %s, other %s", name_of(read_result), name_of(write_result), name_of(try_result),
          name_of(other));
}
