/* Bug: an upgrade waits until there is no other reader, even if the other reader is waiting for the same. Both threads read, both
 * upgrade: deadlock. The library is upgrade_lock_bug.c. */
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
