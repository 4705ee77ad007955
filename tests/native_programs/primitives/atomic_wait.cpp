// std::atomic::wait returns when the value has changed.
#include "outcome.h"

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> x{0};
  int seen = -1;
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
  OUTCOME("%d", seen);
}
