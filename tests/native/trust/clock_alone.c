// The same in main, by gettimeofday, and by a deadline that a wait has seen: an hour from now.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 3600;
  assert(pthread_mutex_timedlock(&mutex, &until) == 0);
  struct timeval now;
  gettimeofday(&now, NULL);
#ifdef FIXED
  assert(now.tv_sec >= until.tv_sec - 3600);
#else
  assert(now.tv_sec < until.tv_sec);
#endif
  struct timespec computed;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &computed);
  assert(computed.tv_sec < 1);  // whoever is held up does not compute
  pthread_mutex_unlock(&mutex);
  return 0;
}
