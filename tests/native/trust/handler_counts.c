// A handler and the thread that it interrupts count in one variable. FIXED: the signal is blocked meanwhile.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

volatile sig_atomic_t n = 0;
pthread_t receiver;

static void count(int signal) {
  (void)signal;
  n = n + 1;
}
static void* send(void* unused) {
  pthread_kill(receiver, SIGUSR1);
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = count};
  sigaction(SIGUSR1, &action, NULL);
  receiver = pthread_self();
  pthread_t sender;
  pthread_create(&sender, NULL, send, NULL);
#ifdef FIXED
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
  n = n + 1;
#ifdef FIXED
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
#endif
  pthread_join(sender, NULL);
  assert(n == 2);
  return 0;
}
