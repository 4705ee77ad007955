// Two threads want the same key. Verified: the value is computed once, and both see it.
#include "cache.h"

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
