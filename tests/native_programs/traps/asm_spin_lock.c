/* A spin lock in inline assembly, which no instrumentation sees. It does not yield, and it does exclude. */
#include <assert.h>
#include <pthread.h>

static int word;
static int count; /* guarded by word */

static void lock(void) {
  int taken = 1;
  do __asm__ volatile("xchgl %0, %1\n\tpause" : "+r"(taken), "+m"(word) : : "memory");
  while (taken != 0);
}

static void unlock(void) { __asm__ volatile("movl $0, %0" : "=m"(word) : : "memory"); }

static void* increment(void* unused) {
  lock();
  ++count;
  unlock();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, increment, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(count == 2);
}
