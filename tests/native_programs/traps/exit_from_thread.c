/* A thread that is not main ends the process, with a function to be called at exit. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void at_end(void) { puts("at exit"); }

static void* ends(void* unused) {
  (void)unused;
  exit(0);
}

int main(void) {
  pthread_t thread;
  atexit(at_end);
  pthread_create(&thread, NULL, ends, NULL);
  pthread_join(thread, NULL);
  puts("not reached");
  abort();
}
