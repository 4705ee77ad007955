/* Of two tries at least one succeeds. */
#include "outcome.h"

static pthread_spinlock_t s;

static void* try_it(void* result) {
  *(int*)result = pthread_spin_trylock(&s);
  if (*(int*)result == 0) pthread_spin_unlock(&s);
  return NULL;
}

int main(void) {
  int ra = -1, rb = -1;
  pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
  pthread_t a = go(try_it, &ra), b = go(try_it, &rb);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s %s", name_of(ra), name_of(rb));
}
