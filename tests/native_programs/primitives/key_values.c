/* Each thread has its own value. */
#include "outcome.h"

static pthread_key_t key;

static void* set(void* letter) {
  const int empty = pthread_getspecific(key) == NULL;
  pthread_setspecific(key, letter);
  note(*(char*)letter);
  return (void*)(long)(empty && pthread_getspecific(key) == letter);
}

int main(void) {
  void *ra, *rb;
  pthread_key_create(&key, NULL);
  pthread_t a = go(set, "a"), b = go(set, "b");
  pthread_join(a, &ra);
  pthread_join(b, &rb);
  OUTCOME("%s %d %d", order, ra != NULL, rb != NULL);
}
