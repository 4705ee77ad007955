/* A file of the working folder is read, and written back plus one. Every execution must find what the first one found: the file
 * named by the argument holds 0, or is not there. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void* nothing(void* unused) { return unused; }

int main(int argc, char** argv) {
  assert(argc == 2);
  int count = 0;
  FILE* file = fopen(argv[1], "r");
  if (file != NULL) {
    assert(fscanf(file, "%d", &count) == 1);
    fclose(file);
  }
  assert(count == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  pthread_join(thread, NULL);
  file = fopen(argv[1], "w");
  assert(file != NULL);
  fprintf(file, "%d\n", count + 1);
  fclose(file);
}
