/* A signal that is blocked until sigsuspend lets it in is not lost. */
#include "outcome.h"

#include <signal.h>

static volatile sig_atomic_t flag;
static void handler(int signal) { (void)signal, flag = 1; }

static void* waits(void* unused) {
  sigset_t none;
  sigemptyset(&none);
  while (!flag) sigsuspend(&none);
  OUTCOME("woken");
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
}
