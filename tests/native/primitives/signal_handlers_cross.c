/* Two threads signal each other. A handler may run behind the call that is under way, so that both run at the same time. */
#include "outcome.h"
#include <pthread.h>
#include <signal.h>

static pthread_barrier_t all;
static pthread_t threads[2];
static atomic_int done[2];
static int seen[2];
static _Thread_local int self;

static void handler(int signal) {
  (void)signal;
  const int i = self;
  seen[i] = done[1 - i];
  done[i] = 1;
}

static void* signals(void* number) {
  self = (int)(long)number;
  pthread_barrier_wait(&all);
  pthread_kill(threads[1 - self], SIGUSR1);
  pthread_barrier_wait(&all);
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  pthread_barrier_init(&all, NULL, 3);
  pthread_create(&threads[0], NULL, signals, (void*)0);
  pthread_create(&threads[1], NULL, signals, (void*)1);
  pthread_barrier_wait(&all);
  pthread_barrier_wait(&all);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  OUTCOME("seen %d%d", seen[0], seen[1]);
}
