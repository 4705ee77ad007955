/* A signal to the process that all threads block waits with the process, for the one that calls sigwait later, or sigtimedwait. */
#include "outcome.h"

#include <signal.h>
#include <unistd.h>

static sigset_t set;

static void* takes(void* unused) {
  int signal = 0;
  sigwait(&set, &signal);
  note(signal == SIGTERM ? 's' : '?');
  const struct timespec time = {1000, 0};
  siginfo_t info;
  note(sigtimedwait(&set, &info, &time) == SIGTERM && info.si_value.sival_int == 42 ? 'v' : 't');
  return unused;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t a = go(takes, NULL);
  kill(getpid(), SIGTERM);
  pthread_join(a, NULL);
  a = go(takes, NULL);
  kill(getpid(), SIGTERM);
  sigset_t waiting;
  do sigpending(&waiting), sched_yield();
  while (sigismember(&waiting, SIGTERM));
  sigqueue(getpid(), SIGTERM, (union sigval){.sival_int = 42});
  pthread_join(a, NULL);
  OUTCOME("%s", order);
}
