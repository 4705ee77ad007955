/* A request takes effect at the next cancellation point, not before. */
#include "outcome.h"

static int reached;

static void* steps(void* unused) {
  reached = 1;
  pthread_testcancel();
  reached = 2;
  pthread_testcancel();
  reached = 3;
  return unused;
}

int main(void) {
  void* value;
  pthread_t a = go(steps, NULL);
  pthread_cancel(a);
  pthread_join(a, &value);
  OUTCOME("%s at %d", value == PTHREAD_CANCELED ? "canceled" : "ended", reached);
}
