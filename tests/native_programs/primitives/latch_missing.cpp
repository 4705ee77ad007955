// One count too few.
#include "outcome.h"

#include <latch>
#include <thread>

int main() {
  std::latch latch(2);
  std::thread a([&] { latch.count_down(); });
  latch.wait();
  a.join();
  OUTCOME("not reached");
}
