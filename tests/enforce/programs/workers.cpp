// As many workers as the input says. With three of them, some orders are wrong.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <tarry/test.h>

std::atomic<int> last{0};

int main() {
  const char* const given = std::getenv("WORKERS");
  const auto count = static_cast<int>(tarry::input("workers", 1, 3, given == nullptr ? 2 : std::atoi(given)));
  std::vector<std::thread> workers;
  for (int i = 1; i <= count; ++i) workers.emplace_back([i] { last = i; });
  for (std::thread& worker : workers) worker.join();
  if (count == 3 && last == 1) std::abort();
  std::printf("%d of %d\n", last.load(), count);
}
