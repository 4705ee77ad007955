// Without a notification a change may not be noticed.
#include "outcome.h"

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> x{0};
  std::thread waiter([&] { x.wait(0); });
  x = 1;
  waiter.join();
  OUTCOME("passed");
}
