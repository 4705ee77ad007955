/* Memory of the heap that an execution has written to is as it was before in the next one: fresh blocks are zero, and a block from before
   main has its first contents. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int* before_main;
__attribute__((constructor)) static void make(void) { before_main = calloc(1, sizeof *before_main); }

static void* nothing(void* argument) { return argument; }

int main(void) {
  assert(*before_main == 0);
  *before_main = 1;
  int* block = calloc(1000, sizeof *block);
  for (int i = 0; i < 1000; ++i) {
    assert(block[i] == 0);
    block[i] = 1;
  }
  pthread_t a, b;
  pthread_create(&a, NULL, nothing, NULL);
  pthread_create(&b, NULL, nothing, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
