/* A join returns what the thread returned, or gave to pthread_exit; also in another thread than the creator. */
#include "outcome.h"

static pthread_t first;

static void* returns(void* value) { return note('r'), value; }

static void* joins(void* unused) {
  void* value;
  (void)unused;
  pthread_join(first, &value);
  note('j');
  pthread_exit((char*)value + 1);
}

int main(void) {
  void* value;
  first = go(returns, (void*)41);
  pthread_t second = go(joins, NULL);
  note('m');
  pthread_join(second, &value);
  OUTCOME("%s %ld", order, (long)value);
}
