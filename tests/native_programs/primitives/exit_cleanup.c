/* pthread_exit runs cleanup handlers and destructors too. */
#include "outcome.h"

static pthread_key_t key;

static void handler(void* letter) { note(*(char*)letter); }

static void* leaves(void* unused) {
  (void)unused;
  pthread_setspecific(key, "k");
  pthread_cleanup_push(handler, "1");
  pthread_exit("left");
  pthread_cleanup_pop(0);
}

int main(void) {
  void* value;
  pthread_key_create(&key, handler);
  pthread_t a = go(leaves, NULL);
  pthread_join(a, &value);
  OUTCOME("%s %s", order, (char*)value);
}
