/* A try by the owner of a normal mutex fails as anybody's does. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int own, other;

static void* owner(void* unused) {
  pthread_mutex_lock(&m);
  own = pthread_mutex_trylock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

static void* stranger(void* unused) {
  other = pthread_mutex_trylock(&m);
  if (other == 0) pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a = go(owner, NULL), b = go(stranger, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("own %s, other %s", name_of(own), name_of(other));
}
