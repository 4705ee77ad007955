/* A destructor that sets the value again is called again, four times in all (PTHREAD_DESTRUCTOR_ITERATIONS). */
#include "outcome.h"

static pthread_key_t key;

static void destroy(void* letter) {
  note(*(char*)letter);
  pthread_setspecific(key, letter);
}

static void* set(void* letter) {
  pthread_setspecific(key, letter);
  return NULL;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t a = go(set, "a");
  pthread_join(a, NULL);
  OUTCOME("%s", order);
}
