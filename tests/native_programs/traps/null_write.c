/* A write through a null pointer, on some schedules. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int*) pointer;
static int target;

static void* sets(void* unused) {
  atomic_store(&pointer, &target);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, sets, NULL);
  *(volatile int*)atomic_load(&pointer) = 1;
  pthread_join(a, NULL);
}
