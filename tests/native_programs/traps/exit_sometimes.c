/* The exit code is 1 on some schedules. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* writes(void* unused) {
  atomic_store(&x, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writes, NULL);
  const int seen = atomic_load(&x);
  pthread_join(thread, NULL);
  return seen;
}
