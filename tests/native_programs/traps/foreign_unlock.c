/* A normal mutex that another thread unlocks. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* unlocks(void* unused) {
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_mutex_lock(&lock);
  pthread_create(&a, NULL, unlocks, NULL);
  pthread_join(a, NULL);
}
