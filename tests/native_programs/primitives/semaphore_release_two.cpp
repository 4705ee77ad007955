// release(2) lets two go on.
#include "outcome.h"

#include <semaphore>
#include <thread>

int main() {
  std::counting_semaphore<> semaphore(0);
  auto acquires = [&](char letter) {
    semaphore.acquire();
    note(letter);
  };
  std::thread a(acquires, 'a'), b(acquires, 'b');
  note('.');
  semaphore.release(2);
  a.join();
  b.join();
  OUTCOME("%s", order);
}
