// One of two units is taken: the threads are inside one by one.
#include "outcome.h"

#include <semaphore>
#include <thread>

int main() {
  std::counting_semaphore<2> semaphore(2);
  semaphore.acquire();
  auto visit = [&](char letter) {
    semaphore.acquire();
    note(letter);
    note(letter);
    semaphore.release();
  };
  std::thread a(visit, 'a'), b(visit, 'b');
  a.join();
  b.join();
  OUTCOME("%s", order);
}
