/* An error-checking mutex says so when its owner locks again, and when another thread unlocks. */
#include "outcome.h"

static pthread_mutex_t m;
static int again, foreign, taken;

static void* owner(void* unused) {
  pthread_mutex_lock(&m);
  again = pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

static void* stranger(void* unused) {
  foreign = pthread_mutex_unlock(&m);
  taken = pthread_mutex_trylock(&m);
  if (taken == 0) pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_mutexattr_t checking;
  pthread_mutexattr_init(&checking);
  pthread_mutexattr_settype(&checking, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &checking);
  pthread_t a = go(owner, NULL), b = go(stranger, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("again %s, foreign %s, taken %s", name_of(again), name_of(foreign), name_of(taken));
}
