// Two threads signal each other, and both handlers write. FIXED: the second signal is sent by the handler of the first.
#include <pthread.h>
#include <signal.h>

int x;
pthread_barrier_t both;
pthread_t threads[2];
static _Thread_local int self;

static void handler(int signal) {
  (void)signal;
  x = 7;
#ifdef FIXED
  if (self == 1) pthread_kill(threads[0], SIGUSR1);
#endif
}

static void* signals(void* number) {
  self = (int)(long)number;
  pthread_barrier_wait(&both);
#ifdef FIXED
  if (self == 0)
#endif
    pthread_kill(threads[1 - self], SIGUSR1);
  pthread_barrier_wait(&both);
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, 0);
  pthread_barrier_init(&both, 0, 3);
  pthread_create(&threads[0], 0, signals, (void*)0);
  pthread_create(&threads[1], 0, signals, (void*)1);
  pthread_barrier_wait(&both);
  pthread_barrier_wait(&both);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}
