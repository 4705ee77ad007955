/* A wait with a limit of time that ends after the timer does not time out; one that ends before may, or not if the timer was set long ago by
   another thread. Setting it anew forgets that it expired. */
#include "outcome.h"

#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>

static int timer;

static void* polls(void* unused) {
  struct pollfd one = {.fd = timer, .events = POLLIN};
  (void)unused;
  return poll(&one, 1, 500) == 1 ? "expired" : "timed out";
}

int main(void) {
  const struct itimerspec in_a_second = {.it_value = {.tv_sec = 1}};
  timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
  struct pollfd one = {.fd = timer, .events = POLLIN};
  timerfd_settime(timer, 0, &in_a_second, NULL);
  const int early = poll(&one, 1, 500), late = poll(&one, 1, 1500);
  timerfd_settime(timer, 0, &in_a_second, NULL);
  void* other;
  pthread_join(go(polls, NULL), &other);
  uint64_t times = 0;
  const int error = read(timer, &times, sizeof times) < 0 ? errno : 0;
  OUTCOME("early %d, late %d, other thread: %s, read: %s", early, late, (const char*)other, name_of(error));
}
