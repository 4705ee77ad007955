/* Two locks in two orders. */
#include "outcome.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t* first, pthread_mutex_t* second, char letter) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  note(letter);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* mn(void* unused) { return take(&m, &n, 'a'), unused; }
static void* nm(void* unused) { return take(&n, &m, 'b'), unused; }

int main(void) {
  pthread_t a = go(mn, NULL), b = go(nm, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
