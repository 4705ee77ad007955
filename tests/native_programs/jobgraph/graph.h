/* Jobs and what they depend on. A graph is built by one thread; then it does not change, but for the fields that the scheduler
 * owns. */
#ifndef JOBGRAPH_GRAPH_H
#define JOBGRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "hashmap.h"

enum job_state { kWaiting, kDelayed, kReady, kRunning, kDone, kFailed, kCanceled };

const char* job_state_name(enum job_state state);

struct job;

struct job_link {
  struct job* job;
  struct job_link* next;
};

struct job {
  const char* name;
  int number;      /* in the order of their definition */
  int priority;    /* a higher one goes first */
  int delay_ms;    /* after its dependencies are done */
  int work;        /* rounds of mixing */
  int attempts;    /* how often it may run in all */
  int fails_until; /* it fails in all attempts before this one; more than attempts: always */
  struct job_link* needs;
  struct job_link* needed_by;
  int need_count;

  /* the scheduler's, guarded by its lock */
  enum job_state state;
  int missing; /* dependencies that are not done */
  int tries;
  uint64_t due_ns;
  uint64_t result;
};

struct graph {
  struct arena arena;
  struct hashmap by_name;
  struct job** jobs; /* by number */
  int count, capacity;
};

void graph_init(struct graph* graph);
void graph_free(struct graph* graph);

/* NULL: there is a job of that name. */
struct job* graph_add(struct graph* graph, const char* name);
struct job* graph_find(const struct graph* graph, const char* name);
void graph_depend(struct graph* graph, struct job* job, struct job* on);

/* A job on a cycle, or NULL. */
const struct job* graph_cycle(const struct graph* graph);

/* Everything as before a run. */
void graph_reset(struct graph* graph);

#endif
