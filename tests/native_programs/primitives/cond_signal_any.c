/* A signal wakes any one of those that wait, not the one that came first. Two threads wait, in either order; main signals once,
 * and again when one has woken up. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER, changed = PTHREAD_COND_INITIALIZER;
static int waiting, woken;

static void* wait_once(void* letter) {
  pthread_mutex_lock(&m);
  note(*(char*)letter);
  ++waiting;
  pthread_cond_signal(&changed);
  pthread_cond_wait(&turn, &m);
  note(*(char*)letter);
  ++woken;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t a = go(wait_once, "a"), b = go(wait_once, "b");
  pthread_mutex_lock(&m);
  while (waiting < 2) pthread_cond_wait(&changed, &m);
  pthread_cond_signal(&turn);
  while (woken < 1) pthread_cond_wait(&changed, &m);
  pthread_cond_signal(&turn);
  pthread_mutex_unlock(&m);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
