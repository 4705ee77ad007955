/* Cleanup handlers run last pushed first, then the destructors of thread-specific data. */
#include "outcome.h"

static pthread_key_t key;

static void handler(void* letter) { note(*(char*)letter); }

static void* waiter(void* unused) {
  pthread_setspecific(key, "k");
  pthread_cleanup_push(handler, "1");
  pthread_cleanup_push(handler, "2");
  for (;;) pause();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  void* value;
  pthread_key_create(&key, handler);
  pthread_t a = go(waiter, NULL);
  pthread_cancel(a);
  pthread_join(a, &value);
  OUTCOME("%s %s", order, value == PTHREAD_CANCELED ? "canceled" : "ended");
}
