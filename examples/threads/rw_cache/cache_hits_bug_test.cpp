// Bug: the cache changes something (a counter of hits) under the shared lock, which several threads may have at once: data race.
#include "cache_hits_bug.h"

#include <atomic>
#include <cassert>
#include <thread>

int main() {
  Cache<int, int> squares;
  std::atomic<int> computed{0};
  auto square = [&](int x) { return ++computed, x * x; };
  squares.get(3, square);
  int a = 0, b = 0;
  std::thread reader([&] { a = squares.get(3, square); });
  std::thread other([&] { b = squares.get(3, square); });
  reader.join();
  other.join();
  assert(a == 9 && b == 9);
  assert(computed == 1);
  assert(squares.hits() == 2);
}
