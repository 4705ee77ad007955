// std::recursive_mutex.
#include "outcome.h"

#include <mutex>
#include <thread>

int main() {
  std::recursive_mutex m;
  auto twice = [&](char letter) {
    std::lock_guard outer(m);
    {
      std::lock_guard inner(m);
      note(letter);
    }
    note(letter);
  };
  std::thread a(twice, 'a'), b(twice, 'b');
  a.join();
  b.join();
  OUTCOME("%s", order);
}
