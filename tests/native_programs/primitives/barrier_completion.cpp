// The completion function of a std::barrier runs once for each phase, between the last to come and the first to go.
#include "outcome.h"

#include <barrier>
#include <thread>

int main() {
  std::barrier barrier(2, []() noexcept { note('|'); });
  auto phases = [&](char letter) {
    note(letter);
    barrier.arrive_and_wait();
    note(letter);
    barrier.arrive_and_wait();
  };
  std::thread a(phases, 'a'), b(phases, 'b');
  a.join();
  b.join();
  OUTCOME("%s", order);
}
