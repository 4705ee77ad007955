/* Main returns without joining: the other threads die with the process, wherever they are. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int steps;

static void* late(void* unused) {
  for (int i = 0; i < 3; ++i) atomic_fetch_add(&steps, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, late, NULL);
  printf("main returns after %d steps\n", atomic_load(&steps));
}
