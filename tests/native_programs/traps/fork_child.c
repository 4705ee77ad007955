/* Fork, in a program with threads; the child ends at once and the parent waits for it. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void* forks(void* unused) {
  const pid_t child = fork();
  assert(child >= 0);
  if (child == 0) _exit(7);
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, forks, NULL);
  pthread_join(a, NULL);
}
