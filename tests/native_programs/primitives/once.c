/* The routine runs once, and is over when pthread_once returns, whoever ran it. */
#include "outcome.h"

static pthread_once_t control = PTHREAD_ONCE_INIT;
static void routine(void) {
  note('i');
  note('I');
}

static void* use(void* letter) {
  pthread_once(&control, routine);
  note(*(char*)letter);
  return NULL;
}

int main(void) {
  pthread_t a = go(use, "a"), b = go(use, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
