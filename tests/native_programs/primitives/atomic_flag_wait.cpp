// atomic_flag::wait.
#include "outcome.h"

#include <atomic>
#include <thread>

int main() {
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
  std::thread waiter([&] {
    flag.wait(false);
    note('w');
  });
  std::thread setter([&] {
    note('s');
    flag.test_and_set();
    flag.notify_one();
    note('S');
  });
  waiter.join();
  setter.join();
  OUTCOME("%s", order);
}
