/* Standard input is read to its end, in every execution. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char line[64];

static void* reads(void* unused) {
  assert(fgets(line, sizeof line, stdin) != NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reads, NULL);
  pthread_join(thread, NULL);
  assert(strcmp(line, "first line\n") == 0);
  assert(fgets(line, sizeof line, stdin) == NULL);
  puts("read");
}
