/* More threads than Tarry can have in one execution, one after the other: creation fails from then on, which the verdict says. */
#include <pthread.h>
#include <stddef.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
  for (int i = 0; i < 1100; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) == 0) pthread_join(thread, NULL);
  }
  return 0;
}
