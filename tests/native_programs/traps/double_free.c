/* A block freed twice, by two threads that both find it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char*) block;

static void* frees(void* unused) {
  char* mine = atomic_load(&block);
  if (mine != NULL) {
    atomic_store(&block, NULL);
    free(mine);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  atomic_store(&block, malloc(16));
  pthread_create(&a, NULL, frees, NULL);
  pthread_create(&b, NULL, frees, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
