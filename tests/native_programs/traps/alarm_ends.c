/* An alarm that ends a wait which has no other end. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void handler(int number) {
  (void)number;
  _exit(0);
}

static void* nothing(void* unused) { return unused; }

int main(void) {
  pthread_t a;
  signal(SIGALRM, handler);
  pthread_create(&a, NULL, nothing, NULL);
  pthread_join(a, NULL);
  alarm(1);
  pause();
  puts("not reached");
}
