/* Two threads count under a lock; in C, so that no library of C++ is there. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *body(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  body(NULL);
  pthread_join(thread, NULL);
  printf("%d\n", count);
  return 0;
}
