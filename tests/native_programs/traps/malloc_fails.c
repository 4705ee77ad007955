/* An allocation that cannot be had: malloc returns NULL, and the program goes on. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void* asks(void* unused) {
  volatile size_t huge = SIZE_MAX / 4;
  errno = 0;
  void* block = malloc(huge);
  assert(block == NULL && errno == ENOMEM);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, asks, NULL);
  pthread_join(a, NULL);
}
