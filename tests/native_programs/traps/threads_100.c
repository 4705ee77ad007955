/* A hundred threads, one lock. */
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 100
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count; /* guarded by lock */

static void* increment(void* unused) {
  pthread_mutex_lock(&lock);
  ++count;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) assert(pthread_create(&threads[i], NULL, increment, NULL) == 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  assert(count == THREADS);
}
