/* Runs the jobs of a graph with several threads: what is ready goes by priority, then by number. A job that fails for good
 * cancels all that need it, directly or not. */
#ifndef JOBGRAPH_SCHEDULER_H
#define JOBGRAPH_SCHEDULER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "graph.h"
#include "heap.h"
#include "stats.h"
#include "timer.h"

struct scheduler {
  struct graph* graph;
  struct stats stats;
  struct timer timer;

  pthread_mutex_t lock; /* guards all that follows, and the jobs' own fields */
  pthread_cond_t work;  /* something is ready, or all is over */
  pthread_cond_t idle;  /* all is over */
  struct heap ready;
  int open; /* jobs that are neither done nor failed nor canceled */
  bool stop;

  pthread_t* workers;
  int worker_count;
};

/* Makes the threads; nothing runs yet. */
void scheduler_start(struct scheduler* scheduler, struct graph* graph, int workers);

/* Runs all jobs to their end. To be called once. */
void scheduler_run(struct scheduler* scheduler);

/* Cancels a job that is not running yet, and all that need it. False: too late. Any thread. */
bool scheduler_cancel(struct scheduler* scheduler, struct job* job);

/* Waits at most so long for all to be over. */
bool scheduler_wait(struct scheduler* scheduler, int milliseconds);

void scheduler_stop(struct scheduler* scheduler);

#endif
