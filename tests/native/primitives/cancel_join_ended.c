/* glibc's pthread_join looks for a request only while the kernel has not told the end of the other thread. */
#include "outcome.h"
#include <pthread.h>

static pthread_t first;

static void* ends(void* unused) { return unused; }
static void* joins(void* unused) {
  pthread_cancel(pthread_self());
  pthread_join(first, NULL);
  return unused;
}

int main(void) {
  void* value;
  pthread_t second;
  pthread_create(&first, NULL, ends, NULL);
  pthread_create(&second, NULL, joins, NULL);
  pthread_join(second, &value);
  OUTCOME("%s", value == PTHREAD_CANCELED ? "canceled" : "ended");
}
