/* Reader-writer locks with a clock of one's choice. */
#include "outcome.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int read_result, write_result;

static void* reads(void* unused) {
  const struct timespec time = soon(CLOCK_MONOTONIC);
  read_result = pthread_rwlock_clockrdlock(&rw, CLOCK_MONOTONIC, &time);
  if (read_result == 0) pthread_rwlock_unlock(&rw);
  return unused;
}

static void* writes(void* unused) {
  const struct timespec time = soon(CLOCK_MONOTONIC);
  write_result = pthread_rwlock_clockwrlock(&rw, CLOCK_MONOTONIC, &time);
  if (write_result == 0) pthread_rwlock_unlock(&rw);
  return unused;
}

int main(void) {
  pthread_t a = go(reads, NULL), b = go(writes, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("read %s, write %s", name_of(read_result), name_of(write_result));
}
