#include "timer.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static bool earlier(const void* a, const void* b) {
  const struct timer_entry *x = a, *y = b;
  return x->due_ns != y->due_ns ? x->due_ns < y->due_ns : x->sequence < y->sequence;
}

static void* run(void* argument) {
  struct timer* timer = argument;
  pthread_mutex_lock(&timer->lock);
  while (!timer->stop) {
    struct timer_entry* next = heap_top(&timer->entries);
    if (next == NULL) {
      pthread_cond_wait(&timer->changed, &timer->lock);
    } else if (next->due_ns > now_ns()) {
      const struct timespec due = {(time_t)(next->due_ns / 1000000000u), (long)(next->due_ns % 1000000000u)};
      pthread_cond_timedwait(&timer->changed, &timer->lock, &due);
    } else {
      heap_pop(&timer->entries);
      pthread_mutex_unlock(&timer->lock);
      next->fire(next->argument);
      free(next);
      pthread_mutex_lock(&timer->lock);
    }
  }
  pthread_mutex_unlock(&timer->lock);
  return NULL;
}

void timer_start(struct timer* timer) {
  pthread_condattr_t monotonic;
  pthread_mutex_init(&timer->lock, NULL);
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&timer->changed, &monotonic);
  pthread_condattr_destroy(&monotonic);
  heap_init(&timer->entries, earlier);
  timer->sequence = 0;
  timer->stop = false;
  if (pthread_create(&timer->thread, NULL, run, timer) != 0) abort();
}

void timer_stop(struct timer* timer) {
  pthread_mutex_lock(&timer->lock);
  timer->stop = true;
  pthread_cond_signal(&timer->changed);
  pthread_mutex_unlock(&timer->lock);
  pthread_join(timer->thread, NULL);
  void* left;
  while ((left = heap_pop(&timer->entries)) != NULL) free(left);
  heap_free(&timer->entries);
  pthread_cond_destroy(&timer->changed);
  pthread_mutex_destroy(&timer->lock);
}

void timer_add(struct timer* timer, uint64_t due_ns, void (*fire)(void* argument), void* argument) {
  struct timer_entry* entry = malloc(sizeof *entry);
  if (entry == NULL) exit(3);
  pthread_mutex_lock(&timer->lock);
  *entry = (struct timer_entry){due_ns, timer->sequence++, fire, argument};
  heap_push(&timer->entries, entry);
  if (heap_top(&timer->entries) == entry) pthread_cond_signal(&timer->changed);
  pthread_mutex_unlock(&timer->lock);
}
