/* Whoever takes the time back comes before the timer or after it. */
#include "outcome.h"

#include <stdint.h>
#include <sys/timerfd.h>

static int timer;

static void* stops(void* unused) {
  const struct itimerspec never = {0};
  struct itimerspec left;
  timerfd_settime(timer, 0, &never, &left);
  (void)unused;
  return left.it_value.tv_sec == 0 ? "had expired" : "taken back";
}

int main(void) {
  const struct itimerspec in_a_minute = {.it_value = {.tv_sec = 60}};
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  timerfd_settime(timer, 0, &in_a_minute, NULL);
  pthread_t a = go(stops, NULL);
  uint64_t times = 0;
  const int got = read(timer, &times, sizeof times) == sizeof times;
  void* what;
  pthread_join(a, &what);
  const int later = read(timer, &times, sizeof times) == sizeof times;
  OUTCOME("%s, read %d, later %d", (const char*)what, got, later);
}
