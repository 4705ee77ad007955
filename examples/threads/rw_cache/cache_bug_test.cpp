// Bug: check, then act. That a key is missing is seen under the shared lock, and acted on under the exclusive one, without
// another look. Both threads see that it is missing, and both compute the value.
#include "cache_bug.h"

#include <atomic>
#include <cassert>
#include <thread>

int main() {
  Cache<int, int> squares;
  std::atomic<int> computed{0};
  auto square = [&](int x) { return ++computed, x * x; };
  int a = 0, b = 0;
  std::thread reader([&] { a = squares.get(3, square); });
  std::thread other([&] { b = squares.get(3, square); });
  reader.join();
  other.join();
  assert(a == 9 && b == 9);
  assert(computed == 1);
}
