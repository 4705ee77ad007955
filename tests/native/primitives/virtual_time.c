/* Time passes for a thread when it sleeps, and comes with a join; the same in every execution. */
#include "outcome.h"

static void* sleeps(void* unused) {
  struct timespec hour = {3600, 0};
  nanosleep(&hour, NULL);
  return unused;
}

int main(void) {
  struct timespec before, after, start;
  clock_gettime(CLOCK_MONOTONIC, &before);
  clock_gettime(CLOCK_REALTIME, &start);
  pthread_t a = go(sleeps, NULL), b = go(sleeps, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  clock_gettime(CLOCK_MONOTONIC, &after);
  usleep(5);
  OUTCOME("%ld h, %ld, %d, %d", (after.tv_sec - before.tv_sec) / 3600, start.tv_sec / 3600, (int)getpid() == (int)gettid(), (int)(time(NULL) / 3600 - start.tv_sec / 3600));
}
