/* What is printed: by several threads, flushed and not, to both streams. */
#include <pthread.h>
#include <stdio.h>

static void* prints(void* name) {
  printf("thread %s\n", (char*)name);
  fflush(stdout);
  fprintf(stderr, "error of %s\n", (char*)name);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, prints, "a");
  pthread_create(&b, NULL, prints, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("no newline at the end");
}
