// The value changes, and changes back: who waits may see the change or not. With a notification of each, it may wait for ever.
#include "outcome.h"

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> x{0};
  std::thread waiter([&] { x.wait(0); });
  std::thread changer([&] {
    x = 1;
    x.notify_all();
    x = 0;
    x.notify_all();
  });
  waiter.join();
  changer.join();
  OUTCOME("passed");
}
