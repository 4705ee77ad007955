/* A shorter sleep may end after a longer one: a sleeping thread runs again when it is scheduled. */
#include "outcome.h"

static void* sleeps(void* letter) {
  const struct timespec time = {0, *(char*)letter == 'a' ? 2000000 : 1000};
  nanosleep(&time, NULL);
  note(*(char*)letter);
  return NULL;
}

int main(void) {
  pthread_t a = go(sleeps, "a"), b = go(sleeps, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
