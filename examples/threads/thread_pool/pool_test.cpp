// One thread, two tasks, and then the pool goes away. Verified: both tasks have run.
#include "pool.h"

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
