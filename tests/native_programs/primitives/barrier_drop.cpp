// A thread that drops out is not waited for in later phases.
#include "outcome.h"

#include <barrier>
#include <thread>

int main() {
  std::barrier barrier(2, []() noexcept { note('|'); });
  std::thread stays([&] {
    note('s');
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
  });
  std::thread drops([&] {
    note('d');
    barrier.arrive_and_drop();
  });
  stays.join();
  drops.join();
  OUTCOME("%s", order);
}
