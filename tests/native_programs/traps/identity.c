/* Process and thread ids, times and random numbers: the same in every execution, and sensible. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static pid_t ids[2];

static void* remembers(void* id) {
  *(pid_t*)id = (pid_t)syscall(SYS_gettid);
  assert(*(pid_t*)id == gettid());
  return NULL;
}

int main(void) {
  pthread_t a, b;
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  pthread_create(&a, NULL, remembers, &ids[0]);
  pthread_create(&b, NULL, remembers, &ids[1]);
  assert(!pthread_equal(a, b));
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(before.tv_sec < after.tv_sec || (before.tv_sec == after.tv_sec && before.tv_nsec <= after.tv_nsec));
  assert(getpid() > 0 && ids[0] > 0 && ids[1] > 0 && ids[0] != ids[1]);
  assert(ids[0] != getpid() && ids[1] != getpid() && gettid() == getpid());
  struct timeval now;
  unsigned random;
  assert(time(NULL) > 0 && gettimeofday(&now, NULL) == 0);
  assert(getrandom(&random, sizeof random, 0) == sizeof random);
  srand((unsigned)time(NULL) ^ (unsigned)getpid() ^ random);
  printf("%d %u %d %ld\n", rand(), random, (int)getpid(), (long)now.tv_sec);
}
