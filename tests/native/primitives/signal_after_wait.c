// A thread that has waited for a signal waits for it no more: the next one stays with the process, for whoever waits.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static sigset_t set;
static void* waits(void* unused) { int got; sigwait(&set, &got); puts(got == SIGUSR1 ? "taken" : "another"); return unused; }
int main() {
  sigemptyset(&set); sigaddset(&set, SIGUSR1); pthread_sigmask(SIG_BLOCK, &set, 0);
  int got;
  kill(getpid(), SIGUSR1); sigwait(&set, &got);
  kill(getpid(), SIGUSR1);
  pthread_t t; pthread_create(&t, 0, waits, 0); pthread_join(t, 0);
}
