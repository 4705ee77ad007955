/* A thread is canceled while it waits for a pipe, or before. What is written before the request it may read. */
#include "outcome.h"
#include <pthread.h>

static int ends[2];

static void* reads(void* unused) {
  char letter;
  if (read(ends[0], &letter, 1) == 1) note(letter);
  read(ends[0], &letter, 1);
  note('?');
  return unused;
}

int main(void) {
  pthread_t thread;
  void* value;
  pipe(ends);
  pthread_create(&thread, NULL, reads, NULL);
  write(ends[1], "a", 1);
  pthread_cancel(thread);
  pthread_join(thread, &value);
  OUTCOME("%s %s", order_length == 0 ? "-" : order, value == PTHREAD_CANCELED ? "canceled" : "ended");
}
