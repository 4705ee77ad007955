/* Masks are each thread's own: a blocked signal waits, and is taken by sigwait. */
#include "outcome.h"

#include <signal.h>

static void* takes(void* unused) {
  sigset_t set;
  int signal;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigwait(&set, &signal);
  note(signal == SIGUSR2 ? 's' : '?');
  return unused;
}

int main(void) {
  sigset_t set, now;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t a = go(takes, NULL);
  pthread_kill(a, SIGUSR2);
  pthread_join(a, NULL);
  pthread_sigmask(SIG_UNBLOCK, &set, &now);
  OUTCOME("%s, was blocked %d", order, sigismember(&now, SIGUSR2));
}
