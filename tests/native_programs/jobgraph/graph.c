#include "graph.h"

#include <stdio.h>
#include <stdlib.h>

const char* job_state_name(enum job_state state) {
  static const char* const names[] = {"waiting", "delayed", "ready", "running", "done", "failed", "canceled"};
  return names[state];
}

void graph_init(struct graph* graph) {
  arena_init(&graph->arena);
  hashmap_init(&graph->by_name);
  graph->jobs = NULL;
  graph->count = graph->capacity = 0;
}

void graph_free(struct graph* graph) {
  hashmap_free(&graph->by_name);
  free(graph->jobs);
  arena_free(&graph->arena);
}

struct job* graph_add(struct graph* graph, const char* name) {
  if (hashmap_find(&graph->by_name, name) != NULL) return NULL;
  struct job* job = arena_alloc(&graph->arena, sizeof *job);
  job->name = arena_strdup(&graph->arena, name);
  job->number = graph->count;
  job->attempts = 1;
  job->work = 1;
  if (graph->count == graph->capacity) {
    graph->capacity = graph->capacity == 0 ? 16 : graph->capacity * 2;
    graph->jobs = realloc(graph->jobs, (size_t)graph->capacity * sizeof(struct job*));
    if (graph->jobs == NULL) {
      fprintf(stderr, "jobgraph: out of memory\n");
      exit(3);
    }
  }
  graph->jobs[graph->count++] = job;
  hashmap_insert(&graph->by_name, job->name, job);
  return job;
}

struct job* graph_find(const struct graph* graph, const char* name) {
  return hashmap_find(&graph->by_name, name);
}

static void append(struct arena* arena, struct job_link** list, struct job* job) {
  while (*list != NULL) list = &(*list)->next;
  *list = arena_alloc(arena, sizeof **list);
  (*list)->job = job;
}

void graph_depend(struct graph* graph, struct job* job, struct job* on) {
  for (const struct job_link* link = job->needs; link != NULL; link = link->next)
    if (link->job == on) return;
  append(&graph->arena, &job->needs, on);
  append(&graph->arena, &on->needed_by, job);
  ++job->need_count;
}

const struct job* graph_cycle(const struct graph* graph) {
  if (graph->count == 0) return NULL;
  int* missing = calloc((size_t)graph->count, sizeof *missing);
  int* ready = calloc((size_t)graph->count, sizeof *ready);
  if (missing == NULL || ready == NULL) exit(3);
  int ready_count = 0, seen = 0;
  for (int i = 0; i < graph->count; ++i)
    if ((missing[i] = graph->jobs[i]->need_count) == 0) ready[ready_count++] = i;
  while (seen < ready_count)
    for (const struct job_link* link = graph->jobs[ready[seen++]]->needed_by; link != NULL; link = link->next)
      if (--missing[link->job->number] == 0) ready[ready_count++] = link->job->number;
  const struct job* cyclic = NULL;
  for (int i = 0; i < graph->count && cyclic == NULL; ++i)
    if (missing[i] > 0) cyclic = graph->jobs[i];
  free(missing);
  free(ready);
  return cyclic;
}

void graph_reset(struct graph* graph) {
  for (int i = 0; i < graph->count; ++i) {
    struct job* job = graph->jobs[i];
    job->state = kWaiting;
    job->missing = job->need_count;
    job->tries = 0;
    job->due_ns = 0;
    job->result = 0;
  }
}
