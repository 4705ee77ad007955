/* A stream that one thread has locked is waited for by another. */
#include "outcome.h"

static void* writes(void* letter) {
  flockfile(stderr);
  note(*(const char*)letter);
  sched_yield();
  note(*(const char*)letter);
  funlockfile(stderr);
  return NULL;
}

int main(void) {
  pthread_t a = go(writes, "a"), b = go(writes, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
