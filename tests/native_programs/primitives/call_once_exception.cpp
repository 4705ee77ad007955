// A call that throws does not count: the next one tries.
#include "outcome.h"

#include <atomic>
#include <mutex>
#include <thread>

int main() {
  std::once_flag once;
  std::atomic<int> tries{0};
  auto use = [&](char letter) {
    try {
      std::call_once(once, [&] {
        note('i');
        if (tries.fetch_add(1) == 0) throw 1;
      });
      note(letter);
    } catch (int) {
      note('x');
    }
  };
  std::thread a(use, 'a'), b(use, 'b');
  a.join();
  b.join();
  OUTCOME("%s", order);
}
