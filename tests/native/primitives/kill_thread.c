/* A signal to another thread is handled there, also while it waits; a semaphore wait fails with EINTR, unless the signal comes just before it. */
#include "outcome.h"

#include <semaphore.h>
#include <signal.h>

static sem_t s;
static pthread_t waiter_id;
static int in_waiter;

static void handler(int signal) {
  (void)signal;
  in_waiter = pthread_equal(pthread_self(), waiter_id);
}

static void* waiter(void* unused) {
  waiter_id = pthread_self();
  sem_wait(&s);
  return sem_wait(&s) == 0 ? "posted" : unused;
}

int main(void) {
  void* result;
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  sem_init(&s, 0, 1);
  pthread_t a = go(waiter, (void*)"interrupted");
  sem_t never;
  sem_init(&never, 0, 0);
  int value;
  do sem_getvalue(&s, &value), sched_yield();
  while (value != 0);
  pthread_kill(a, SIGUSR1);
  pthread_join(a, &result);
  OUTCOME("%s, handled %s", (const char*)result, in_waiter ? "there" : "elsewhere");
}
