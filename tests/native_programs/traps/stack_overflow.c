/* A recursion without end, in a thread. */
#include <pthread.h>

static int deeper(volatile int* above) {
  volatile int here[256];
  here[0] = *above + 1;
  return here[0] < 0 ? 0 : deeper(here) + here[0];
}

static void* overflows(void* unused) {
  volatile int start = 0;
  deeper(&start);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, overflows, NULL);
  pthread_join(a, NULL);
}
