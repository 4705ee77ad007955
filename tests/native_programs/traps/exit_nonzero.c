/* All is well, and the exit code is 3. It counts only when asked. */
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  pthread_join(thread, NULL);
  return 3;
}
