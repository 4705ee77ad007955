/* A signal to oneself that ends the process. */
#include <pthread.h>
#include <signal.h>

static void* raises(void* unused) {
  raise(SIGTERM);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, raises, NULL);
  pthread_join(a, NULL);
}
