// arrive_and_wait: nobody goes on before both are there.
#include "outcome.h"

#include <latch>
#include <thread>

int main() {
  std::latch latch(2);
  auto meet = [&](char before, char after) {
    note(before);
    latch.arrive_and_wait();
    note(after);
  };
  std::thread a(meet, 'a', 'A'), b(meet, 'b', 'B');
  a.join();
  b.join();
  OUTCOME("%s", order);
}
