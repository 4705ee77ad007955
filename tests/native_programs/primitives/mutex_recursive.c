/* A recursive mutex is free when it was unlocked as often as locked. */
#include "outcome.h"

static pthread_mutex_t m;

static void* twice(void* unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  note('1');
  pthread_mutex_unlock(&m);
  note('2');
  pthread_mutex_unlock(&m);
  return unused;
}

static void* once(void* unused) {
  const int tried = pthread_mutex_trylock(&m);
  if (tried != 0) return note('-'), unused;
  note('x');
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &recursive);
  pthread_t a = go(twice, NULL), b = go(once, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
