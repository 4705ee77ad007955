/* A child has the memory as it is when it is made, with what other threads hold. */
#include "outcome.h"

#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* adds(void* unused) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a = go(adds, NULL);
  const pid_t child = fork();
  if (child == 0) _exit(pthread_mutex_trylock(&mutex) != 0 ? 2 : count);
  int status;
  waitpid(child, &status, 0);
  pthread_join(a, NULL);
  OUTCOME("the child saw %d", WEXITSTATUS(status));
}
