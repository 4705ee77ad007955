// std::atomic<long>::wait: no futex is that wide, so the library waits for something else.
#include "outcome.h"

#include <atomic>
#include <thread>

int main() {
  std::atomic<long> x{0};
  long seen = -1;
  std::thread waiter([&] {
    x.wait(0);
    seen = x.load();
  });
  std::thread changer([&] {
    x = 1;
    x.notify_one();
    x = 2;
  });
  waiter.join();
  changer.join();
  OUTCOME("%ld", seen);
}
