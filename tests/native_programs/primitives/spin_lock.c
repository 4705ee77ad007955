/* Spin locks exclude each other. */
#include "outcome.h"

static pthread_spinlock_t s;

static void* twice(void* letter) {
  pthread_spin_lock(&s);
  note(*(char*)letter);
  note(*(char*)letter);
  pthread_spin_unlock(&s);
  return NULL;
}

int main(void) {
  pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
  pthread_t a = go(twice, "a"), b = go(twice, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_spin_destroy(&s);
  OUTCOME("%s", order);
}
