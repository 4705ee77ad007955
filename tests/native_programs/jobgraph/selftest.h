/* Checks of the parts that run in one thread. */
#ifndef JOBGRAPH_SELFTEST_H
#define JOBGRAPH_SELFTEST_H

/* The number of checks; ends the program at the first that fails. */
int selftest(void);

#endif
