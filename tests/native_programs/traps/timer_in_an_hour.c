/* Waits for a timer that is due in an hour: time is virtual, so that is at once, and no deadlock. */
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timer;

static void* waits(void* unused) {
  uint64_t times;
  return read(timer, &times, sizeof times) == sizeof times ? unused : &timer;
}

int main(void) {
  const struct itimerspec in_an_hour = {.it_value = {.tv_sec = 3600}};
  pthread_t waiter;
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_settime(timer, 0, &in_an_hour, NULL);
  pthread_create(&waiter, NULL, waits, NULL);
  return pthread_join(waiter, NULL);
}
