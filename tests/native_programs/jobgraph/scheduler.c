#include "scheduler.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

struct delayed_job {
  struct scheduler* scheduler;
  struct job* job;
};

static bool goes_first(const void* a, const void* b) {
  const struct job *x = a, *y = b;
  return x->priority != y->priority ? x->priority > y->priority : x->number < y->number;
}

static bool is_over(const struct job* job) { return job->state == kDone || job->state == kFailed || job->state == kCanceled; }

/* The lock is held in all that follows, unless it says otherwise. */

static void make_ready(struct scheduler* scheduler, struct job* job) {
  job->state = kReady;
  heap_push(&scheduler->ready, job);
  pthread_cond_signal(&scheduler->work);
}

/* Called by the timer's thread, without the lock. */
static void delay_over(void* argument) {
  struct delayed_job* delayed = argument;
  pthread_mutex_lock(&delayed->scheduler->lock);
  if (delayed->job->state == kDelayed) make_ready(delayed->scheduler, delayed->job);
  pthread_mutex_unlock(&delayed->scheduler->lock);
  free(delayed);
}

static void delay(struct scheduler* scheduler, struct job* job) {
  struct delayed_job* delayed = malloc(sizeof *delayed);
  if (delayed == NULL) exit(3);
  *delayed = (struct delayed_job){scheduler, job};
  job->state = kDelayed;
  job->due_ns = now_ns() + (uint64_t)job->delay_ms * 1000000u;
  stats_count(&scheduler->stats, kStatDelayed);
  timer_add(&scheduler->timer, job->due_ns, delay_over, delayed);
}

static void release(struct scheduler* scheduler, struct job* job) {
  if (job->delay_ms > 0 && job->tries == 0) delay(scheduler, job);
  else make_ready(scheduler, job);
}

static void finish(struct scheduler* scheduler, struct job* job, enum job_state state) {
  job->state = state;
  if (--scheduler->open > 0) return;
  pthread_cond_broadcast(&scheduler->idle);
  pthread_cond_broadcast(&scheduler->work);
}

static void cancel(struct scheduler* scheduler, struct job* job) {
  if (is_over(job) || job->state == kRunning) return;
  if (job->state == kReady) heap_remove(&scheduler->ready, job);
  stats_count(&scheduler->stats, kStatCanceled);
  finish(scheduler, job, kCanceled);
  for (const struct job_link* link = job->needed_by; link != NULL; link = link->next) cancel(scheduler, link->job);
}

static uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* What a job does, without the lock: its result is a function of its name and of the results it needs, which are over. */
static bool perform(const struct job* job, int attempt, uint64_t* result) {
  uint64_t value = hash_text(job->name);
  for (const struct job_link* link = job->needs; link != NULL; link = link->next) value = mix(value + link->job->result);
  for (int i = 0; i < job->work; ++i) value = mix(value + (uint64_t)i);
  *result = value;
  return attempt >= job->fails_until;
}

static void run_one(struct scheduler* scheduler, struct job* job) {
  job->state = kRunning;
  const int attempt = ++job->tries;
  stats_count(&scheduler->stats, kStatStarted);
  pthread_mutex_unlock(&scheduler->lock);

  uint64_t result;
  stats_begin(&scheduler->stats);
  const bool succeeded = perform(job, attempt, &result);
  stats_end(&scheduler->stats);

  pthread_mutex_lock(&scheduler->lock);
  if (succeeded) {
    job->result = result;
    stats_count(&scheduler->stats, kStatDone);
    for (const struct job_link* link = job->needed_by; link != NULL; link = link->next)
      if (--link->job->missing == 0 && link->job->state == kWaiting) release(scheduler, link->job);
    finish(scheduler, job, kDone);
  } else if (attempt < job->attempts) {
    stats_count(&scheduler->stats, kStatRetried);
    make_ready(scheduler, job);
  } else {
    stats_count(&scheduler->stats, kStatFailed);
    for (const struct job_link* link = job->needed_by; link != NULL; link = link->next) cancel(scheduler, link->job);
    finish(scheduler, job, kFailed);
  }
}

static void* worker(void* argument) {
  struct scheduler* scheduler = argument;
  pthread_mutex_lock(&scheduler->lock);
  for (;;) {
    struct job* job = heap_pop(&scheduler->ready);
    if (job != NULL) run_one(scheduler, job);
    else if (scheduler->stop) break;
    else pthread_cond_wait(&scheduler->work, &scheduler->lock);
  }
  pthread_mutex_unlock(&scheduler->lock);
  return NULL;
}

/* Without the lock, from here on. */

void scheduler_start(struct scheduler* scheduler, struct graph* graph, int workers) {
  scheduler->graph = graph;
  stats_init(&scheduler->stats);
  graph_reset(graph);
  pthread_mutex_init(&scheduler->lock, NULL);
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&scheduler->work, NULL);
  pthread_cond_init(&scheduler->idle, &monotonic);
  pthread_condattr_destroy(&monotonic);
  heap_init(&scheduler->ready, goes_first);
  scheduler->open = graph->count;
  scheduler->stop = false;
  timer_start(&scheduler->timer);
  scheduler->worker_count = workers;
  scheduler->workers = calloc((size_t)workers, sizeof *scheduler->workers);
  if (scheduler->workers == NULL) exit(3);
  for (int i = 0; i < workers; ++i) {
    if (pthread_create(&scheduler->workers[i], NULL, worker, scheduler) != 0) abort();
  }
}

void scheduler_run(struct scheduler* scheduler) {
  pthread_mutex_lock(&scheduler->lock);
  for (int i = 0; i < scheduler->graph->count; ++i) {
    struct job* job = scheduler->graph->jobs[i];
    if (job->state == kWaiting && job->missing == 0) release(scheduler, job);
  }
  pthread_mutex_unlock(&scheduler->lock);
  while (!scheduler_wait(scheduler, 1000)) {
  }
}

bool scheduler_cancel(struct scheduler* scheduler, struct job* job) {
  pthread_mutex_lock(&scheduler->lock);
  const bool in_time = !is_over(job) && job->state != kRunning;
  if (in_time) cancel(scheduler, job);
  pthread_mutex_unlock(&scheduler->lock);
  return in_time;
}

bool scheduler_wait(struct scheduler* scheduler, int milliseconds) {
  const uint64_t until = now_ns() + (uint64_t)milliseconds * 1000000u;
  const struct timespec due = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
  int result = 0;
  pthread_mutex_lock(&scheduler->lock);
  while (scheduler->open > 0 && result != ETIMEDOUT) result = pthread_cond_timedwait(&scheduler->idle, &scheduler->lock, &due);
  const bool over = scheduler->open == 0;
  pthread_mutex_unlock(&scheduler->lock);
  return over;
}

void scheduler_stop(struct scheduler* scheduler) {
  pthread_mutex_lock(&scheduler->lock);
  scheduler->stop = true;
  pthread_cond_broadcast(&scheduler->work);
  pthread_mutex_unlock(&scheduler->lock);
  for (int i = 0; i < scheduler->worker_count; ++i) pthread_join(scheduler->workers[i], NULL);
  timer_stop(&scheduler->timer);
  free(scheduler->workers);
  heap_free(&scheduler->ready);
  pthread_cond_destroy(&scheduler->idle);
  pthread_cond_destroy(&scheduler->work);
  pthread_mutex_destroy(&scheduler->lock);
}
