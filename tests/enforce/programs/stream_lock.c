/* The lock of a stream is a recursive mutex. */
#include <pthread.h>
#include <stdio.h>

static int n, order;

static void* adds(void* factor) {
  flockfile(stdout);
  flockfile(stdout);
  n++;
  funlockfile(stdout);
  order = order * 10 + *(int*)factor;
  funlockfile(stdout);
  if (ftrylockfile(stderr) == 0) funlockfile(stderr);
  return NULL;
}

int main(void) {
  int one = 1, two = 2;
  pthread_t t;
  pthread_create(&t, NULL, adds, &two);
  adds(&one);
  pthread_join(t, NULL);
  printf("%d %d\n", n, order);
  return 0;
}
