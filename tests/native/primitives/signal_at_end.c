/* A signal finds a thread after its last operation, too, as long as it is there. */
#include "outcome.h"

#include <signal.h>
#include <stdatomic.h>

static atomic_int steps;
static int seen = -1;

static void handler(int signal) {
  (void)signal;
  seen = steps;
}

static void* walks(void* unused) {
  steps = 1;
  steps = 2;
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t a = go(walks, NULL);
  pthread_kill(a, SIGUSR1);
  pthread_join(a, NULL);
  OUTCOME("%d", seen);
}
