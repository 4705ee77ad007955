// Two pairs of stores. Right is only that both pairs come in the same order: "12 12" or "21 21". A run that took the first pair from one admissible trace and
// the second from another would fail.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

std::atomic<int> a{0}, b{0};

int main() {
  std::thread one([] {
    a.store(1);
    b.store(1);
  });
  std::thread two([] {
    a.store(2);
    b.store(2);
  });
  one.join();
  two.join();
  std::printf("%d %d\n", a.load(), b.load());
  if (a.load() != b.load()) std::abort();
}
