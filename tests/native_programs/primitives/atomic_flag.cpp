// test_and_set: exactly one is first.
#include "outcome.h"

#include <atomic>
#include <thread>

int main() {
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
  auto race = [&](char letter) {
    if (!flag.test_and_set()) note(letter);
  };
  std::thread a(race, 'a'), b(race, 'b'), c(race, 'c');
  a.join();
  b.join();
  c.join();
  OUTCOME("%s", order);
}
