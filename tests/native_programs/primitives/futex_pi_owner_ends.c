/* A thread ends with a lock that it took without the kernel. Whoever waits gets it, and is told; whoever asks later has no one to wait for. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_uint word;
static unsigned ended;

static long call(int operation) { return syscall(SYS_futex, &word, operation, 0, NULL, NULL, 0) == 0 ? 0 : errno; }

static void* ends(void* unused) {
  (void)unused;
  unsigned nobody = 0;
  ended = (unsigned)syscall(SYS_gettid);
  if (!atomic_compare_exchange_strong(&word, &nobody, ended) && call(FUTEX_LOCK_PI_PRIVATE) != 0) abort();
  return NULL;
}

struct had {
  long result;
  unsigned died;
};

static struct had lock(int operation) {
  struct had had = {call(operation), 0};
  if (had.result != 0) return had;
  had.died = atomic_load(&word) & FUTEX_OWNER_DIED;
  if (call(FUTEX_UNLOCK_PI_PRIVATE) != 0) abort();
  return had;
}

static void* locks(void* had) {
  *(struct had*)had = lock(FUTEX_LOCK_PI_PRIVATE);
  return NULL;
}

int main(void) {
  struct had b, c;
  const pthread_t owner = go(ends, NULL), first = go(locks, &b);
  c = lock(FUTEX_TRYLOCK_PI_PRIVATE);
  pthread_join(owner, NULL);
  pthread_join(first, NULL);
  const unsigned last = atomic_load(&word);
  OUTCOME("b %s%s, main %s%s, then %s%s%s", name_of((int)b.result), b.died ? " died" : "", name_of((int)c.result), c.died ? " died" : "",
          (last & FUTEX_TID_MASK) == 0 ? "0" : (last & FUTEX_TID_MASK) == ended ? "owner" : "another", last & FUTEX_WAITERS ? " asked" : "",
          last & FUTEX_OWNER_DIED ? " died" : "");
}
