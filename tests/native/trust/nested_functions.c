/* A nested function of GNU C that uses variables around it is called by code on the stack: stacks of threads are executable then. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *body(void *unused) {
  (void)unused;
  int calls = 0, numbers[3] = {3, 1, 2};
  int compare(const void *a, const void *b) {
    ++calls;
    return *(const int *)a - *(const int *)b;
  }
  qsort(numbers, 3, sizeof *numbers, compare);
  assert(numbers[0] == 1 && numbers[2] == 3 && calls > 0);
#ifndef FIXED
  assert(calls == 0);
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  body(NULL);
  pthread_join(thread, NULL);
  return 0;
}
