// Bug: a lost wake-up. The destructor sets the stop flag without the lock; that it is atomic does not help. A thread of the pool
// sees no task and no stop; the destructor sets the flag and notifies, while nobody waits yet; then the thread waits, for ever.
#include "pool_stop_bug.h"

#include <atomic>
#include <cassert>

int main() {
  std::atomic<int> ran{0};
  {
    ThreadPool pool(1);
    pool.submit([&] { ++ran; });
    pool.submit([&] { ++ran; });
  }
  assert(ran == 2);
}
