/* A heap of 1 GiB in one block. Two threads touch a page in each MiB of it; with an argument, all pages. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static const size_t kSize = (size_t)1 << 30;
static size_t step = (size_t)1 << 20;
static unsigned char* block;

static void* touches(void* first) {
  for (size_t i = (size_t)first * step; i < kSize; i += 2 * step) block[i] = 1;
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t a;
  (void)argv;
  if (argc > 1) step = 4096;
  block = calloc(1, kSize);
  assert(block != NULL);
  pthread_create(&a, NULL, touches, (void*)0);
  touches((void*)1);
  pthread_join(a, NULL);
  size_t sum = 0;
  for (size_t i = 0; i < kSize; i += step) sum += block[i];
  assert(sum == kSize / step);
  free(block);
}
