/* An event that is set once. In C, with pthreads. WRONG, see event_bug_test.c; event.h is right. */
#ifndef EVENT_H
#define EVENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct event {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  atomic_bool happened;
};

#define EVENT_INITIALIZER \
  { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false }

static inline void event_set(struct event* event) {
  event->happened = true; /* wrong: not under the mutex */
  pthread_cond_broadcast(&event->changed);
}

static inline void event_wait(struct event* event) {
  pthread_mutex_lock(&event->mutex);
  while (!event->happened) pthread_cond_wait(&event->changed, &event->mutex);
  pthread_mutex_unlock(&event->mutex);
}

#endif
