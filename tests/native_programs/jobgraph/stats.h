/* What happened in a run. Counters may be changed by any thread; a copy is taken at any time. */
#ifndef JOBGRAPH_STATS_H
#define JOBGRAPH_STATS_H

#include <stdatomic.h>

#include "text.h"

enum stat { kStatStarted, kStatDone, kStatFailed, kStatRetried, kStatCanceled, kStatDelayed, kStatCount };

struct stats {
  atomic_int counters[kStatCount];
  atomic_int running, most_running;
};

void stats_init(struct stats* stats);
void stats_count(struct stats* stats, enum stat which);
void stats_begin(struct stats* stats);
void stats_end(struct stats* stats);
int stats_get(struct stats* stats, enum stat which);

/* All but what depends on the schedule. */
void stats_report(struct stats* stats, struct text* into);

#endif
