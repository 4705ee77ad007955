/* jobgraph [SIZE [WORKERS]]: makes a graph of about SIZE jobs, runs it with WORKERS threads and a timer, and prints what came of
 * it. jobgraph - [WORKERS]: reads the graph from standard input.
 *
 * The same output on every schedule. Exit code 0 if all is as it must be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "report.h"
#include "scheduler.h"
#include "selftest.h"

/* Jobs in layers of four. Some have priorities or delays, one fails once and is tried again, one fails for good. */
static void generate(int size, struct text* into) {
  for (int i = 0; i < size; ++i) {
    text_add(into, "job%d priority=%d work=%d", i, i * 7 % 5, 1 + i % 3);
    if (i % 11 == 5) text_add(into, " delay=1");
    if (i % 8 == 2) text_add(into, " attempts=3 fails=2");
    if (i % 16 == 9) text_add(into, " attempts=2 fails=9");
    if (i >= 4) text_add(into, " : job%d job%d", i - 4, i - 4 + (i * 5 + 3) % 4 - i % 4);
    text_add(into, "\n");
  }
}

static void read_all(FILE* file, struct text* into) {
  char line[1024];
  while (fgets(line, sizeof line, file) != NULL) text_add(into, "%s", line);
}

struct killer {
  struct scheduler* scheduler;
  struct job* job;
  bool in_time;
};

static void* kill_job(void* argument) {
  struct killer* killer = argument;
  killer->in_time = scheduler_cancel(killer->scheduler, killer->job);
  return NULL;
}

/* A graph of its own: a job that needs what nobody gives in time is canceled by another thread while the rest runs. */
static void run_with_cancellation(int workers, struct text* output, struct text* problem) {
  struct graph graph;
  struct scheduler scheduler;
  graph_init(&graph);
  if (!parse_graph(&graph, "fast\nlate delay=1\nlast : late fast\nend : last\n", problem)) return;
  scheduler_start(&scheduler, &graph, workers);
  struct killer killer = {&scheduler, graph_find(&graph, "last"), false};
  pthread_t thread;
  if (pthread_create(&thread, NULL, kill_job, &killer) != 0) abort();
  pthread_join(thread, NULL);
  scheduler_run(&scheduler);
  scheduler_stop(&scheduler);
  if (report_verify(&graph, problem)) {
    text_add(output, "cancellation %s: ", killer.in_time ? "in time" : "too late");
    stats_report(&scheduler.stats, output);
    text_add(output, "\n");
  }
  graph_free(&graph);
}

static bool run_graph(const char* input, int workers, struct text* output, struct text* problem) {
  struct graph graph;
  struct scheduler scheduler;
  graph_init(&graph);
  bool right = parse_graph(&graph, input, problem);
  if (right) {
    scheduler_start(&scheduler, &graph, workers);
    scheduler_run(&scheduler);
    scheduler_stop(&scheduler);
    right = report_verify(&graph, problem);
    report_run(&scheduler, output);
  }
  graph_free(&graph);
  return right;
}

int main(int argc, char** argv) {
  const bool from_stdin = argc > 1 && strcmp(argv[1], "-") == 0;
  const int size = argc > 1 && !from_stdin ? atoi(argv[1]) : 24;
  const int workers = argc > 2 ? atoi(argv[2]) : 3;
  if ((!from_stdin && (size < 1 || size > 10000)) || workers < 1 || workers > 64) {
    fprintf(stderr, "usage: jobgraph [SIZE|- [WORKERS]], SIZE from 1 to 10000, WORKERS from 1 to 64\n");
    return 2;
  }
  const int checks = selftest();
  struct text input, output, problem;
  text_init(&input);
  text_init(&output);
  text_init(&problem);
  text_add(&output, "selftest: %d checks\n", checks);
  if (from_stdin) read_all(stdin, &input);
  else generate(size, &input);
  bool right = run_graph(text_get(&input), workers, &output, &problem);
  if (right && !from_stdin && size > 4) run_with_cancellation(workers, &output, &problem);
  right = right && problem.size == 0;
  fputs(text_get(&output), stdout);
  if (!right) fprintf(stderr, "jobgraph: %s\n", text_get(&problem));
  text_free(&input);
  text_free(&output);
  text_free(&problem);
  return right ? 0 : 1;
}
