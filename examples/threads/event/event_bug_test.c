/* Bug: a lost wake-up. The event is set without the mutex. The waiter has the mutex and sees that nothing has happened; the
 * worker sets the event and signals, while nobody waits; the waiter waits for ever: deadlock. */
#include "event_bug.h"

#include <assert.h>
#include <stddef.h>

static struct event done = EVENT_INITIALIZER;
static int result;

static void* work(void* unused) {
  result = 42;
  event_set(&done);
  return unused;
}

static void* wait_for_work(void* unused) {
  event_wait(&done);
  assert(result == 42);
  return unused;
}

int main(void) {
  pthread_t worker, waiter;
  pthread_create(&worker, NULL, work, NULL);
  pthread_create(&waiter, NULL, wait_for_work, NULL);
  pthread_join(worker, NULL);
  pthread_join(waiter, NULL);
}
