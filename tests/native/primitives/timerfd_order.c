/* Of two timers that a thread sets, the one that is due later comes later, if it was set later, too; else it may come first if the thread was
   held up. A periodic one comes again when it was read. */
#include "outcome.h"

#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>

static int in(int seconds, int again) {
  const struct itimerspec time = {.it_value = {.tv_sec = seconds}, .it_interval = {.tv_sec = again}};
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_settime(timer, 0, &time, NULL);
  return timer;
}

static char first(int a, int b) {
  struct pollfd both[] = {{.fd = a, .events = POLLIN}, {.fd = b, .events = POLLIN}};
  poll(both, 2, -1);
  close(a), close(b);
  return both[0].revents == 0 ? 'b' : both[1].revents == 0 ? 'a' : '2';
}

int main(void) {
  const int one = in(1, 0), two = in(2, 0);
  const char early = first(one, two);
  const int three = in(3, 0), again = in(1, 1);
  const char late = first(three, again);
  const int periodic = in(1, 1);
  uint64_t times = 0, sum = 0;
  for (int i = 0; i < 3; ++i) sum += read(periodic, &times, sizeof times) == sizeof times ? times : 100;
  OUTCOME("%c, %c, sum %d", early, late, (int)sum);
}
