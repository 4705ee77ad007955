/* A thread that has timed out takes no signal from the one that still waits. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, result;

static void* patient(void* unused) {
  pthread_mutex_lock(&m);
  waiting = 1;
  pthread_cond_wait(&c, &m);
  note('p');
  pthread_mutex_unlock(&m);
  return unused;
}

static void* hasty(void* unused) {
  const struct timespec time = soon(CLOCK_REALTIME);
  pthread_mutex_lock(&m);
  result = pthread_cond_timedwait(&c, &m, &time);
  if (result != 0 && waiting) pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a = go(patient, NULL), b = go(hasty, NULL);
  pthread_join(b, NULL);
  pthread_mutex_lock(&m);
  if (waiting) pthread_cond_signal(&c);
  const int early = !waiting;
  pthread_mutex_unlock(&m);
  if (!early) pthread_join(a, NULL);
  OUTCOME("%s, %s", name_of(result), early ? "early" : order);
}
