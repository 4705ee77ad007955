/* A signal is handled between any two steps of a thread, also where the handler does nothing that others see. */
#include "outcome.h"

#include <semaphore.h>
#include <signal.h>

static sem_t first, second;
static volatile sig_atomic_t flag;
static int seen;

static void handler(int signal) {
  (void)signal;
  flag = 1;
}

static void* looks(void* unused) {
  sem_post(&first);
  seen = flag;
  sem_post(&second);
  seen = seen * 10 + flag;
  return unused;
}

static void* other(void* unused) {
  sem_post(&first);
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  sem_init(&first, 0, 0);
  sem_init(&second, 0, 0);
  pthread_t a = go(looks, NULL);
  pthread_t b = go(other, NULL);
  pthread_kill(a, SIGUSR1);
  pthread_join(b, NULL);
  pthread_join(a, NULL);
  OUTCOME("seen %02d", seen);
}
