/* Memory of mmap, shared by threads, given back: the next execution finds none of it. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static atomic_int* page;

static void* adds(void* unused) {
  atomic_fetch_add(page, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(page != MAP_FAILED && atomic_load(page) == 0);
  pthread_create(&a, NULL, adds, NULL);
  pthread_create(&b, NULL, adds, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(atomic_load(page) == 2);
  assert(munmap(page, 4096) == 0);
}
