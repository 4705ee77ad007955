/* Arguments, environment and the working folder are the user's. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* nothing(void* unused) { return unused; }

int main(int argc, char** argv) {
  char folder[4096];
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  pthread_join(thread, NULL);
  assert(argc == 3 && strcmp(argv[1], "one") == 0 && strcmp(argv[2], "two words") == 0);
  assert(getenv("PATH") != NULL);
  assert(getcwd(folder, sizeof folder) != NULL && folder[0] == '/');
  puts("arguments as given");
}
