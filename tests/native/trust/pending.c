/* sigpending sees a signal that another thread has sent, or does not. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *body(void *unused) {
  (void)unused;
  kill(getpid(), SIGUSR1);
  return NULL;
}

int main(void) {
  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
#ifdef FIXED
  sigpending(&pending);
#endif
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
#ifndef FIXED
  sigpending(&pending);
#endif
  assert(!sigismember(&pending, SIGUSR1));
  pthread_join(thread, NULL);
  return 0;
}
