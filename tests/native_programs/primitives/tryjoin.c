/* A try to join, before or after the end. */
#include "outcome.h"

static void* quick(void* unused) { return unused; }

int main(void) {
  pthread_t a = go(quick, NULL);
  const int first = pthread_tryjoin_np(a, NULL);
  if (first != 0) pthread_join(a, NULL);
  OUTCOME("%s", name_of(first));
}
