// The completion function of a std::barrier runs between the last to come and the first to go.
#include "outcome.h"

#include <barrier>
#include <thread>

int main() {
  std::barrier barrier(2, []() noexcept { note('|'); });
  auto meets = [&](char letter) {
    note(letter);
    barrier.arrive_and_wait();
    note(letter);
  };
  std::thread a(meets, 'a');
  meets('b');
  a.join();
  OUTCOME("%s", order);
}
