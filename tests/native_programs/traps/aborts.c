/* abort() in a thread. */
#include <pthread.h>
#include <stdlib.h>

static void* ends(void* unused) {
  (void)unused;
  abort();
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, ends, NULL);
  pthread_join(a, NULL);
}
