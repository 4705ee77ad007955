/* A critical section is not interrupted by another one. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* twice(void* letter) {
  pthread_mutex_lock(&m);
  note(*(char*)letter);
  note(*(char*)letter);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t a = go(twice, "a"), b = go(twice, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
