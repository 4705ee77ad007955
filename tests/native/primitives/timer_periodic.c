/* A periodic timer rings as often as somebody waits for it, and does not keep another timer from its turn for ever. */
#include "outcome.h"

#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/timerfd.h>

static atomic_int rings;

static void handler(int signal) {
  (void)signal;
  atomic_fetch_add(&rings, 1);
}

int main(void) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  const struct itimerval every_second = {.it_value = {.tv_sec = 1}, .it_interval = {.tv_sec = 1}};
  const struct itimerspec in_an_hour = {.it_value = {.tv_sec = 3600}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &every_second, NULL);
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_settime(timer, 0, &in_an_hour, NULL);
  uint64_t times = 0;
  read(timer, &times, sizeof times);
  while (atomic_load(&rings) < 2) sched_yield();
  OUTCOME("rang %d, expired %d", atomic_load(&rings) >= 2, (int)times);
}
