/* What the kernel keeps for a thread is set for that thread, also by others, and the order of setting and asking matters. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static pthread_t first;
static int first_processor, first_priority;

static int policy_of(pthread_t thread) {
  struct sched_param param;
  int policy = -1;
  assert(pthread_getschedparam(thread, &policy, &param) == 0);
  return policy;
}

static void *body(void *unused) {
  (void)unused;
  const struct sched_param none = {0};
  assert(pthread_setschedparam(first, SCHED_FIFO, &none) == EINVAL);
  cpu_set_t set;
  CPU_ZERO(&set);
  assert(pthread_setaffinity_np(first, sizeof set, &set) == EINVAL);
  CPU_SET(first_processor, &set);
  assert(pthread_setaffinity_np(first, sizeof set, &set) == 0);
  const int lower = first_priority < 10 ? first_priority + 5 : first_priority;
  assert(nice(lower - first_priority) == lower && getpriority(PRIO_PROCESS, 0) == lower);
  assert(prctl(PR_SET_TIMERSLACK, 12345) == 0 && prctl(PR_GET_TIMERSLACK) == 12345);
  assert(mlockall(MCL_CURRENT) == 0 || errno == EPERM);
  assert(mlock((void *)4096, 1) == -1 && munlockall() == 0);
  assert(pthread_setschedparam(first, SCHED_BATCH, &none) == 0);
  return NULL;
}

int main(void) {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  while (!CPU_ISSET(first_processor, &set)) ++first_processor;
  first = pthread_self();
  first_priority = getpriority(PRIO_PROCESS, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
#ifndef FIXED
  assert(policy_of(first) == SCHED_OTHER);
#endif
  pthread_join(thread, NULL);
  assert(policy_of(first) == SCHED_BATCH && sched_getscheduler(getpid()) == SCHED_BATCH);
  assert(pthread_getaffinity_np(first, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1 && sched_getcpu() == first_processor);
  assert(getpriority(PRIO_PROCESS, 0) == first_priority && prctl(PR_GET_TIMERSLACK) != 12345);
  return 0;
}
