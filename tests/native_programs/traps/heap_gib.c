/* A heap of 1 GiB: a block that is hardly touched, and one page in 256 of it that is. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { kStep = 1 << 20 };
static const size_t kSize = (size_t)1 << 30;
static unsigned char* block;

static void* touches(void* first) {
  for (size_t i = (size_t)first * kStep; i < kSize; i += 2 * (size_t)kStep) block[i] = 1;
  return NULL;
}

int main(void) {
  pthread_t a;
  block = calloc(1, kSize);
  assert(block != NULL);
  pthread_create(&a, NULL, touches, (void*)0);
  touches((void*)1);
  pthread_join(a, NULL);
  size_t sum = 0;
  for (size_t i = 0; i < kSize; i += kStep) sum += block[i];
  assert(sum == kSize / kStep);
  free(block);
}
