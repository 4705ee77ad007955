// Bug: a race with the shutdown. A thread of the pool goes when it sees the stop flag, although there are tasks left. If the
// destructor is faster than the threads, tasks are never run.
#include "pool_drain_bug.h"

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
