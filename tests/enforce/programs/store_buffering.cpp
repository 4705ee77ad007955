// Relaxed stores and loads. On x86 both loads can read 0; sequentially consistent, they cannot.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

std::atomic<int> x{0}, y{0};
int seen_x, seen_y;

int main() {
  std::thread one([] {
    x.store(1, std::memory_order_relaxed);
    seen_y = y.load(std::memory_order_relaxed);
  });
  std::thread two([] {
    y.store(1, std::memory_order_relaxed);
    seen_x = x.load(std::memory_order_relaxed);
  });
  one.join();
  two.join();
  std::printf("%d %d\n", seen_x, seen_y);
  return seen_x + seen_y == 0 ? 3 : 0;
}
