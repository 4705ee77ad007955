#include "stats.h"

static const char* const kNames[kStatCount] = {"started", "done", "failed", "retried", "canceled", "delayed"};

void stats_init(struct stats* stats) {
  for (int i = 0; i < kStatCount; ++i) atomic_init(&stats->counters[i], 0);
  atomic_init(&stats->running, 0);
  atomic_init(&stats->most_running, 0);
}

void stats_count(struct stats* stats, enum stat which) { atomic_fetch_add(&stats->counters[which], 1); }

void stats_begin(struct stats* stats) {
  const int running = atomic_fetch_add(&stats->running, 1) + 1;
  int most = atomic_load(&stats->most_running);
  while (most < running && !atomic_compare_exchange_weak(&stats->most_running, &most, running)) {
  }
}

void stats_end(struct stats* stats) { atomic_fetch_sub(&stats->running, 1); }

int stats_get(struct stats* stats, enum stat which) { return atomic_load(&stats->counters[which]); }

void stats_report(struct stats* stats, struct text* into) {
  for (int i = 0; i < kStatCount; ++i) text_add(into, "%s%s %d", i == 0 ? "" : ", ", kNames[i], atomic_load(&stats->counters[i]));
}
