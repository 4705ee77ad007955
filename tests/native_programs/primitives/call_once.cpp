// std::call_once.
#include "outcome.h"

#include <mutex>
#include <thread>

int main() {
  std::once_flag once;
  auto use = [&](char letter) {
    std::call_once(once, [] {
      note('i');
      note('I');
    });
    note(letter);
  };
  std::thread a(use, 'a'), b(use, 'b');
  a.join();
  b.join();
  OUTCOME("%s", order);
}
