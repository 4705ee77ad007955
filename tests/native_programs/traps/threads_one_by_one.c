/* A thousand threads, but never more than two at a time. */
#include <assert.h>
#include <pthread.h>

static int count;

static void* increment(void* unused) {
  ++count;
  return unused;
}

int main(void) {
  for (int i = 0; i < 1000; ++i) {
    pthread_t thread;
    assert(pthread_create(&thread, NULL, increment, NULL) == 0);
    pthread_join(thread, NULL);
  }
  assert(count == 1000);
}
