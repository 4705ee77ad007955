/* A thread that calls back when a time has come. */
#ifndef JOBGRAPH_TIMER_H
#define JOBGRAPH_TIMER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "heap.h"

struct timer_entry {
  uint64_t due_ns;
  uint64_t sequence;
  void (*fire)(void* argument);
  void* argument;
};

struct timer {
  pthread_mutex_t lock; /* guards all that follows */
  pthread_cond_t changed;
  struct heap entries;
  uint64_t sequence;
  bool stop;
  pthread_t thread;
};

uint64_t now_ns(void);

void timer_start(struct timer* timer);

/* What has not come yet never will. */
void timer_stop(struct timer* timer);

/* `fire` is called in the timer's thread, without its lock. */
void timer_add(struct timer* timer, uint64_t due_ns, void (*fire)(void* argument), void* argument);

#endif
