// notify_one lets one of two go on; the other one waits for another notification.
#include "outcome.h"

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> x{0};
  auto waits = [&](char letter) {
    x.wait(0);
    note(letter);
    x.notify_one();
  };
  std::thread a(waits, 'a'), b(waits, 'b');
  x = 1;
  x.notify_one();
  a.join();
  b.join();
  OUTCOME("%s", order);
}
