/* A broadcast wakes all; they get the mutex in any order. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER, changed = PTHREAD_COND_INITIALIZER;
static int waiting;

static void* wait_once(void* letter) {
  pthread_mutex_lock(&m);
  note(*(char*)letter);
  ++waiting;
  pthread_cond_signal(&changed);
  pthread_cond_wait(&turn, &m);
  note(*(char*)letter);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t a = go(wait_once, "a"), b = go(wait_once, "b");
  pthread_mutex_lock(&m);
  while (waiting < 2) pthread_cond_wait(&changed, &m);
  pthread_cond_broadcast(&turn);
  pthread_mutex_unlock(&m);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
