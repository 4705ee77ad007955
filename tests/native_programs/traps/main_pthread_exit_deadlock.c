/* Main is gone by pthread_exit, and the one thread that is left waits for ever. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* waits(void* unused) {
  pthread_mutex_lock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, NULL, waits, NULL);
  pthread_exit(NULL);
}
