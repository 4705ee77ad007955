// A thread that can be cancelled at any moment writes twice. FIXED: it cannot be cancelled meanwhile.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int x = 0, y = 0;

static void* write_both(void* unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
#ifdef FIXED
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
  int sum = 0;
  for (int i = 0; i < 100; i++) sum += i;  // its own affair
  x = 1;
  y = sum > 0;
#ifdef FIXED
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_both, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  assert(x == y);
  return 0;
}
