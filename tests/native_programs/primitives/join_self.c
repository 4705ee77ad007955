/* A thread that joins itself is told so. */
#include "outcome.h"

static int result;

static void* self(void* unused) {
  result = pthread_join(pthread_self(), NULL);
  return unused;
}

int main(void) {
  pthread_t a = go(self, NULL);
  pthread_join(a, NULL);
  OUTCOME("%s", name_of(result));
}
