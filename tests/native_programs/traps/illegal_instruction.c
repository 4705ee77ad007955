/* An instruction that there is not. */
#include <pthread.h>

static void* traps(void* unused) {
  (void)unused;
  __builtin_trap();
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, traps, NULL);
  pthread_join(a, NULL);
}
