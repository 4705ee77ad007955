/* One thread ends the process with code 0, main fails if it gets further. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;

static void* ends(void* unused) {
  (void)unused;
  if (atomic_load(&x) == 0) _exit(0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, ends, NULL);
  atomic_store(&x, 1);
  pthread_join(thread, NULL);
  assert(!"the thread has not ended the process");
}
