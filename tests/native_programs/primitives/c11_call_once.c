/* C11 call_once. */
#include "outcome.h"

#include <threads.h>

static once_flag control = ONCE_FLAG_INIT;

static void routine(void) {
  note('i');
  note('I');
}

static int use(void* letter) {
  call_once(&control, routine);
  note(*(char*)letter);
  return 0;
}

int main(void) {
  thrd_t a, b;
  thrd_create(&a, use, "a");
  thrd_create(&b, use, "b");
  thrd_join(a, NULL);
  thrd_join(b, NULL);
  OUTCOME("%s", order);
}
