/* While cancellation is disabled a request is kept. */
#include "outcome.h"

static int reached;

static void* steps(void* unused) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  reached = 1;
  pthread_testcancel();
  reached = 2;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
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
