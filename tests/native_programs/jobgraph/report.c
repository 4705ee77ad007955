#include "report.h"

#include <inttypes.h>

enum { kFew = 40 };

static uint64_t digest_of(const struct graph* graph) {
  uint64_t digest = 0;
  for (int i = 0; i < graph->count; ++i) {
    const struct job* job = graph->jobs[i];
    digest = digest * 31 + job->result + (uint64_t)job->state;
  }
  return digest;
}

void report_run(const struct scheduler* scheduler, struct text* into) {
  const struct graph* graph = scheduler->graph;
  if (graph->count <= kFew)
    for (int i = 0; i < graph->count; ++i) {
      const struct job* job = graph->jobs[i];
      text_add(into, "%-12s %-9s tries %d result %016" PRIx64 "\n", job->name, job_state_name(job->state), job->tries,
               job->result);
    }
  stats_report((struct stats*)&scheduler->stats, into);
  text_add(into, "\ndigest %016" PRIx64 "\n", digest_of(graph));
}

static const char* wrong_with(const struct job* job) {
  bool all_done = true;
  for (const struct job_link* link = job->needs; link != NULL; link = link->next) all_done &= link->job->state == kDone;
  switch (job->state) {
    case kDone:
      if (!all_done) return "is done, but not all it needs";
      if (job->tries != (job->fails_until > 1 ? job->fails_until : 1)) return "has a wrong number of tries";
      return job->missing == 0 ? NULL : "misses something, but is done";
    case kFailed:
      if (!all_done) return "has failed, but ran too early";
      return job->tries == job->attempts ? NULL : "was not tried often enough";
    case kCanceled: return job->tries == 0 ? NULL : "was canceled after it ran";
    default: return "is not over";
  }
}

bool report_verify(const struct graph* graph, struct text* problem) {
  for (int i = 0; i < graph->count; ++i) {
    const char* wrong = wrong_with(graph->jobs[i]);
    if (wrong == NULL) continue;
    text_add(problem, "job '%s' (%s) %s", graph->jobs[i]->name, job_state_name(graph->jobs[i]->state), wrong);
    return false;
  }
  return true;
}
