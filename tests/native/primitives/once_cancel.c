/* A routine of pthread_once that is cancelled does not count: the next one runs it. */
#include "outcome.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void routine(void) {
  note('r');
  pthread_testcancel();
  note('R');
}

static void* calls(void* unused) {
  pthread_once(&once, routine);
  return unused;
}

int main(void) {
  void* value;
  pthread_t a = go(calls, NULL);
  pthread_cancel(a);
  pthread_join(a, &value);
  pthread_once(&once, routine);
  OUTCOME("%s %s", order, value == PTHREAD_CANCELED ? "canceled" : "ended");
}
