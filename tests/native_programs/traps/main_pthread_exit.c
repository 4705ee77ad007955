/* Main ends with pthread_exit: the process goes on until the last thread ends, with exit code 0. */
#include <pthread.h>
#include <stdio.h>

static void* last(void* unused) {
  puts("the last thread ends");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, last, NULL);
  pthread_exit(NULL);
}
