/* C11 thread-specific storage and its destructor. */
#include "outcome.h"

#include <threads.h>

static tss_t key;

static void destroy(void* letter) { note(*(char*)letter); }

static int set(void* letter) {
  tss_set(key, letter);
  note('.');
  return tss_get(key) == letter;
}

int main(void) {
  thrd_t a, b;
  int ra = -1, rb = -1;
  tss_create(&key, destroy);
  thrd_create(&a, set, "a");
  thrd_create(&b, set, "b");
  thrd_join(a, &ra);
  thrd_join(b, &rb);
  OUTCOME("%s %d %d", order, ra, rb);
}
