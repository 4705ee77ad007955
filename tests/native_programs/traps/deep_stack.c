/* A recursion that needs 4 MiB of a thread's stack, which has 8; and one in a thread that asked for 32. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int deep(int levels) {
  volatile char here[1024];
  here[0] = (char)levels;
  return levels == 0 ? 0 : deep(levels - 1) + (here[0] == (char)levels);
}

static void* recurses(void* levels) {
  assert(deep((int)(intptr_t)levels) == (int)(intptr_t)levels);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_attr_t attribute;
  pthread_attr_init(&attribute);
  pthread_attr_setstacksize(&attribute, (size_t)32 << 20);
  pthread_create(&a, NULL, recurses, (void*)(intptr_t)3500);
  assert(pthread_create(&b, &attribute, recurses, (void*)(intptr_t)20000) == 0);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
