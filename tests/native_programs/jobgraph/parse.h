/* Graphs as text. A line is one job:
 *
 *   name [priority=N] [delay=MS] [work=N] [attempts=N] [fails=N] [: need need ...]
 *
 * What a job needs may be defined later. Empty lines and what follows a '#' do not count. */
#ifndef JOBGRAPH_PARSE_H
#define JOBGRAPH_PARSE_H

#include <stdbool.h>

#include "graph.h"
#include "text.h"

/* False: wrong input, told in `problem` with its line. */
bool parse_graph(struct graph* graph, const char* input, struct text* problem);

#endif
