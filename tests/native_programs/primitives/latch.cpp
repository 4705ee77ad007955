// A latch of two opens when both have counted down.
#include "outcome.h"

#include <latch>
#include <thread>

int main() {
  std::latch latch(2);
  auto count = [&](char letter) {
    note(letter);
    latch.count_down();
  };
  std::thread a(count, 'a'), b(count, 'b'), c([&] {
    latch.wait();
    note('w');
  });
  a.join();
  b.join();
  c.join();
  OUTCOME("%s", order);
}
