/* Unlocked without having been made consistent, it is lost for good. */
#include "outcome.h"

static pthread_mutex_t m;

static void* dies(void* unused) {
  pthread_mutex_lock(&m);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &attributes);
  pthread_join(go(dies, NULL), NULL);
  const int dead = pthread_mutex_trylock(&m) == EOWNERDEAD;
  pthread_mutex_unlock(&m);
  OUTCOME("%s, then %s", dead ? "dead" : "?", pthread_mutex_lock(&m) == ENOTRECOVERABLE ? "lost" : "?");
}
