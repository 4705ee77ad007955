/* Polling with sleeps, in three kinds: usleep, nanosleep, and sched_yield. A fair execution ends. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int stage;

static void* answers(void* unused) {
  while (atomic_load(&stage) != 1) usleep(100);
  atomic_store(&stage, 2);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, answers, NULL);
  atomic_store(&stage, 1);
  const struct timespec pause = {0, 100000};
  for (int tries = 0; atomic_load(&stage) != 2; ++tries)
    if (tries % 2 == 0) nanosleep(&pause, NULL);
    else sched_yield();
  pthread_join(thread, NULL);
  assert(atomic_load(&stage) == 2);
}
