/* A timer of timer_create sends its signal with its value, again when that was taken; one without a signal only shows its time. A thread that
   waits for the signal is no deadlock. */
#include "outcome.h"

#include <signal.h>

static atomic_int stop;

static void* stops(void* unused) {
  atomic_store(&stop, 1);
  return unused;
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  timer_t timer, silent;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value = {.sival_int = 7}}, none = {.sigev_notify = SIGEV_NONE};
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_create(CLOCK_REALTIME, &none, &silent) == 0);
  const struct itimerspec every_second = {.it_value = {.tv_sec = 1}, .it_interval = {.tv_sec = 1}}, in_ten = {.it_value = {.tv_sec = 10}};
  timer_settime(silent, 0, &in_ten, NULL);
  timer_settime(timer, 0, &every_second, NULL);
  pthread_t a = go(stops, NULL);
  int sum = 0, rounds = 0;
  siginfo_t info;
  while (rounds < 2 && sigwaitinfo(&set, &info) == SIGUSR1) {
    sum += info.si_value.sival_int;
    ++rounds;
    if (atomic_load(&stop)) break;
  }
  struct itimerspec left;
  timer_gettime(silent, &left);
  assert(timer_delete(timer) == 0 && timer_delete(silent) == 0);
  pthread_join(a, NULL);
  OUTCOME("%d times, sum %d, %d seconds left", rounds, sum, (int)left.it_value.tv_sec);
}
