// times() returns the time that has passed, not the processor time.
#include <assert.h>
#include <pthread.h>
#include <sys/times.h>
#include <unistd.h>

static int x;

static void* sets(void* unused) {
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, sets, 0);
  struct tms computed;
  const clock_t from = times(&computed);
  __atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);
  const clock_t to = times(&computed);
  assert(to >= from && computed.tms_utime < sysconf(_SC_CLK_TCK));
#ifndef FIXED
  assert(to - from < sysconf(_SC_CLK_TCK));
#endif
  pthread_join(other, 0);
}
