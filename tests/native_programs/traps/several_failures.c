/* It can fail in two ways, each on other schedules: two findings, with their own lines. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* writes(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writes, NULL);
  const int seen = atomic_load(&x);
  assert(seen != 1);
  assert(seen != 2);
  pthread_join(thread, NULL);
}
