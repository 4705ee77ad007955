/* Two threads, one after the other, may have the same stack: no race between them. */
#include <assert.h>
#include <pthread.h>

static void* work(void* unused) {
  volatile int local[64];
  for (int i = 0; i < 64; ++i) local[i] = i;
  assert(local[63] == 63);
  return unused;
}

int main(void) {
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
  }
}
