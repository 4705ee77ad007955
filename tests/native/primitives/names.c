/* Names, processors and clocks of threads. */
#include "outcome.h"

#include <sched.h>

static void* body(void* unused) {
  char name[16];
  pthread_setname_np(pthread_self(), "worker");
  pthread_getname_np(pthread_self(), name, sizeof(name));
  clockid_t clock;
  struct timespec now;
  int bad = name[0] != 'w' || pthread_getcpuclockid(pthread_self(), &clock) != 0 || clock_gettime(clock, &now) != 0 || sched_getcpu() < 0;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  bad |= pthread_setaffinity_np(pthread_self(), sizeof(set), &set) != 0 || pthread_getaffinity_np(pthread_self(), sizeof(set), &set) != 0;
  note(bad ? '!' : '.');
  return unused;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t a;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_create(&a, &attributes, body, NULL);
  pthread_join(a, NULL);
  OUTCOME("%s %d", order, pthread_equal(a, pthread_self()) != 0);
}
