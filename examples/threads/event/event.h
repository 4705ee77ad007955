/* An event that is set once. In C, with pthreads. */
#ifndef EVENT_H
#define EVENT_H

#include <pthread.h>
#include <stdbool.h>

struct event {
  pthread_mutex_t mutex; /* guards happened */
  pthread_cond_t changed;
  bool happened;
};

#define EVENT_INITIALIZER \
  { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false }

static inline void event_set(struct event* event) {
  pthread_mutex_lock(&event->mutex);
  event->happened = true;
  pthread_cond_broadcast(&event->changed);
  pthread_mutex_unlock(&event->mutex);
}

static inline void event_wait(struct event* event) {
  pthread_mutex_lock(&event->mutex);
  while (!event->happened) pthread_cond_wait(&event->changed, &event->mutex);
  pthread_mutex_unlock(&event->mutex);
}

#endif
