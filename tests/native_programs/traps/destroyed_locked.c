/* A mutex that is destroyed while a thread has it, on some schedules. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* holds(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, holds, NULL);
  pthread_mutex_destroy(&lock);
  pthread_detach(a);
}
