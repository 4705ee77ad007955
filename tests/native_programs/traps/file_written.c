/* A file is made, written by two threads and read back; the name is new. It stays behind: the next execution must not see it. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE* file; /* guarded by lock */

static void* writes(void* text) {
  pthread_mutex_lock(&lock);
  fputs(text, file);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  char name[] = "/tmp/tarry-trap-XXXXXX", line[16] = "";
  const int fd = mkstemp(name);
  assert(fd >= 0);
  file = fdopen(fd, "w+");
  pthread_t a, b;
  pthread_create(&a, NULL, writes, "a");
  pthread_create(&b, NULL, writes, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  rewind(file);
  assert(fgets(line, sizeof line, file) != NULL);
  assert(strcmp(line, "ab") == 0 || strcmp(line, "ba") == 0);
  fclose(file);
  unlink(name);
}
