/* Thirty million memory accesses in one run, and few points where threads meet. */
#include <assert.h>
#include <pthread.h>

enum { kWords = 1000, kRounds = 5000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total; /* guarded by lock */

static void* work(void* memory) {
  volatile long* words = memory;
  for (int round = 0; round < kRounds; ++round)
    for (int i = 0; i < kWords; ++i) words[i] += i; /* a read and a write; with the index in a register */
  long sum = 0;
  for (int i = 0; i < kWords; ++i) sum += words[i];
  pthread_mutex_lock(&lock);
  total += sum;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  static long a[kWords], b[kWords], c[kWords];
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, work, a);
  pthread_create(&threads[1], NULL, work, b);
  work(c);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(total == 3L * kRounds * (kWords * (kWords - 1L) / 2));
}
