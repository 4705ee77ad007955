/* Two critical sections each: they come in any order. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* twice(void* letter) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&m);
    note(*(char*)letter);
    pthread_mutex_unlock(&m);
  }
  return NULL;
}

int main(void) {
  pthread_t a = go(twice, "a"), b = go(twice, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
