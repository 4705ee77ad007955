// notify_all lets both go on.
#include "outcome.h"

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> x{0};
  auto waits = [&](char letter) {
    x.wait(0);
    note(letter);
  };
  std::thread a(waits, 'a'), b(waits, 'b');
  note('m');
  x = 1;
  x.notify_all();
  a.join();
  b.join();
  OUTCOME("%s", order);
}
