/* A block used after it was freed, on some schedules. The accesses are atomic, so that it is no race. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int gone;

static void* uses(void* block) {
  if (!atomic_load(&gone)) atomic_fetch_add((atomic_int*)block, 1);
  return NULL;
}

int main(void) {
  pthread_t a;
  atomic_int* block = calloc(1, 64);
  pthread_create(&a, NULL, uses, block);
  atomic_store(&gone, 1);
  free(block);
  pthread_join(a, NULL);
}
