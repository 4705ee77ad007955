/* Two threads read a counter and then want to change it. Verified: one upgrade fails if both are at it, and nothing is lost. */
#include "upgrade_lock.h"

#include <assert.h>
#include <stddef.h>

static struct upgrade_lock lock;
static int counter;

static void* increment(void* unused) {
  (void)unused;
  upgrade_lock_read(&lock);
  const int seen = counter;
  if (upgrade_lock_upgrade(&lock)) {
    assert(counter == seen);
  } else {
    upgrade_lock_read_end(&lock);
    upgrade_lock_write(&lock);
  }
  ++counter;
  upgrade_lock_write_end(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  upgrade_lock_init(&lock);
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, increment, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
  upgrade_lock_destroy(&lock);
}
