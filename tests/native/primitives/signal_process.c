/* A signal to the process is handled by any of the threads that do not block it. */
#include "outcome.h"

#include <signal.h>
#include <unistd.h>

static pthread_t first;
static int by_first = -1;

static void handler(int signal) {
  (void)signal;
  by_first = pthread_equal(pthread_self(), first);
}

static void* other(void* unused) { return unused; }

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  first = pthread_self();
  sigaction(SIGUSR1, &action, NULL);
  pthread_t a = go(other, NULL);
  kill(getpid(), SIGUSR1);
  pthread_join(a, NULL);
  OUTCOME("handled by the %s thread", by_first ? "first" : "other");
}
