/* A thread waits in read(2) for what another thread writes into a pipe. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* reads(void* byte) {
  assert(read(ends[0], byte, 1) == 1);
  return NULL;
}

int main(void) {
  pthread_t a;
  char byte = 0;
  assert(pipe(ends) == 0);
  pthread_create(&a, NULL, reads, &byte);
  assert(write(ends[1], "x", 1) == 1);
  pthread_join(a, NULL);
  assert(byte == 'x');
}
