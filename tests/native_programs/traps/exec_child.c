/* Another program is run, with its output through a pipe. */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void* runs(void* unused) {
  char line[64];
  FILE* pipe = popen("echo from the shell", "r");
  assert(pipe != NULL);
  assert(fgets(line, sizeof line, pipe) != NULL);
  assert(strcmp(line, "from the shell\n") == 0);
  assert(pclose(pipe) == 0);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, runs, NULL);
  pthread_join(a, NULL);
}
