/* A spin lock made of an atomic flag, with a yield. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int count; /* guarded by flag */

static void* increment(void* unused) {
  while (atomic_flag_test_and_set(&flag)) sched_yield();
  ++count;
  atomic_flag_clear(&flag);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, increment, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(count == 2);
}
