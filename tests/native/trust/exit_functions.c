/* exit calls the functions that two threads register, the last one first. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;
static void first(void) { done = done * 2 + 1; }
static void second(void) { assert(done == 1); }

static void *body(void *unused) {
  (void)unused;
  atexit(first);
  return NULL;
}

int main(void) {
  pthread_t thread;
#ifdef FIXED
  atexit(second);
  pthread_create(&thread, NULL, body, NULL);
#else
  pthread_create(&thread, NULL, body, NULL);
  atexit(second);
#endif
  pthread_join(thread, NULL);
  return 0;
}
