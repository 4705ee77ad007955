/* A hundred thousand blocks, freed by another thread than the one that made them. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { kBlocks = 100000 };
static void* blocks[kBlocks];

static void* frees(void* unused) {
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  return unused;
}

int main(void) {
  pthread_t a;
  for (int i = 0; i < kBlocks; ++i) assert((blocks[i] = malloc((size_t)(i % 100 + 1))) != NULL);
  pthread_create(&a, NULL, frees, NULL);
  pthread_join(a, NULL);
}
