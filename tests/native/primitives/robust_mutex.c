/* The owner of a robust mutex ends without unlocking: the next is told, and can make it consistent. */
#include "outcome.h"

static pthread_mutex_t m;

static void* dies(void* unused) {
  pthread_mutex_lock(&m);
  return unused;
}

static void* next(void* result) {
  *(int*)result = pthread_mutex_lock(&m);
  if (*(int*)result == EOWNERDEAD) pthread_mutex_consistent(&m);
  pthread_mutex_unlock(&m);
  return result;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &attributes);
  int second = 0, last;
  pthread_t a = go(dies, NULL), b = go(next, &second);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  last = pthread_mutex_lock(&m);
  OUTCOME("%s %s", second == EOWNERDEAD ? "dead" : name_of(second), last == EOWNERDEAD ? "dead" : name_of(last));
}
