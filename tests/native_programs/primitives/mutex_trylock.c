/* Of two tries at least one succeeds. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* try_it(void* result) {
  *(int*)result = pthread_mutex_trylock(&m);
  if (*(int*)result == 0) pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  int ra = -1, rb = -1;
  pthread_t a = go(try_it, &ra), b = go(try_it, &rb);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s %s", name_of(ra), name_of(rb));
}
