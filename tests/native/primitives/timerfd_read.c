/* A thread that waits for a timer gets there, before or after others; by its clock the hour is over then, unless it was held up for a part of it before it
   looked at the clock for the first time. Nothing is left of the timer in
   the next execution. */
#include "outcome.h"

#include <stdint.h>
#include <sys/timerfd.h>

static int timer, after_hour;
static atomic_int flag;

static void* waits(void* unused) {
  uint64_t times = 0;
  struct timespec before, now;
  clock_gettime(CLOCK_MONOTONIC, &before);
  assert(read(timer, &times, sizeof times) == sizeof times && times == 1);
  const int seen = atomic_load(&flag);
  clock_gettime(CLOCK_MONOTONIC, &now);
  after_hour = now.tv_sec - before.tv_sec >= 3599;
  (void)unused;
  return seen ? "after" : "before";
}

int main(void) {
  struct itimerspec in_an_hour = {.it_value = {.tv_sec = 3600}}, left;
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_gettime(timer, &left);
  assert(left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0);
  timerfd_settime(timer, 0, &in_an_hour, NULL);
  pthread_t a = go(waits, NULL);
  atomic_store(&flag, 1);
  void* when;
  pthread_join(a, &when);
  OUTCOME("%s, an hour later %d", (const char*)when, after_hour);
}
