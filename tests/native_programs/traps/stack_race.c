/* A data race on a variable of another thread's stack. */
#include <pthread.h>
#include <stdio.h>

static void* increment(void* count) {
  ++*(int*)count;
  return NULL;
}

int main(void) {
  int count = 0;
  pthread_t a, b;
  pthread_create(&a, NULL, increment, &count);
  pthread_create(&b, NULL, increment, &count);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\n", count);
}
