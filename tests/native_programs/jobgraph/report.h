/* What a run came to, in words that do not depend on the schedule. */
#ifndef JOBGRAPH_REPORT_H
#define JOBGRAPH_REPORT_H

#include <stdbool.h>

#include "scheduler.h"
#include "text.h"

/* One line per job if there are few, then the sums. */
void report_run(const struct scheduler* scheduler, struct text* into);

/* Whether the end of every job follows from the ends of those it needs. The first that does not is named in `problem`. */
bool report_verify(const struct graph* graph, struct text* problem);

#endif
