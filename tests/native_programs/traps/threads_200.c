/* Two hundred threads. */
#define THREADS 200
#include "threads_100.c"
