/* Two threads race; then there are more threads than Tarry has ready, so the execution is begun again with more of them. It must have the scheduling
 * points that it had: what was found to race is a point from the next one on. */
#include <pthread.h>
#include <stddef.h>

#define THREADS 40

static pthread_barrier_t barrier;
int last;

static void* writes(void* unused) {
  last = 1;
  return unused;
}

static void* meets(void* unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  static pthread_t threads[THREADS];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, writes, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, meets, NULL);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  return 0;
}
