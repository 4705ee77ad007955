/* A signal that comes between the look at the flag and pause() wakes nobody: sigsuspend is there for that. */
#include "outcome.h"

#include <signal.h>

static volatile sig_atomic_t flag;
static void handler(int signal) { (void)signal, flag = 1; }

static void* waits(void* unused) {
  if (!flag) pause();
  OUTCOME("woken");
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
}
