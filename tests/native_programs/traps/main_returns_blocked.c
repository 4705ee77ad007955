/* Main returns while another thread waits for what nobody will give it: no deadlock, the process ends. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t never;

static void* waits(void* unused) {
  sem_wait(&never);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&never, 0, 0);
  pthread_create(&thread, NULL, waits, NULL);
  puts("main returns");
}
