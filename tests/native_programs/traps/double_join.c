/* A thread that is joined twice. */
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, nothing, NULL);
  pthread_join(a, NULL);
  pthread_join(a, NULL);
}
