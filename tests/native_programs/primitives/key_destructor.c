/* The destructor of thread-specific data runs after the thread's function, takes locks, and is over before join returns. */
#include "outcome.h"

static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void destroy(void* value) {
  pthread_mutex_lock(&m);
  note(*(char*)value);
  note(*(char*)value);
  pthread_mutex_unlock(&m);
}

static void* set(void* letter) {
  pthread_setspecific(key, letter);
  return NULL;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t a = go(set, "a"), b = go(set, "b");
  pthread_join(a, NULL);
  note('.');
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
