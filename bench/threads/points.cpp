// Scheduling points and little else: two threads, 4,000 atomic additions each.
#include <atomic>
#include <thread>

std::atomic<int> total;

int main() {
  const auto add = [] {
    for (int i = 0; i < 4000; ++i) total.fetch_add(1);
  };
  std::thread a(add), b(add);
  a.join();
  b.join();
}
