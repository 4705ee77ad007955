// std::atomic<std::shared_ptr>: whoever exchanges gets each object once.
#include "outcome.h"

#include <atomic>
#include <memory>
#include <thread>

int main() {
  std::atomic<std::shared_ptr<int>> shared{std::make_shared<int>(0)};
  int a = -1, b = -1;
  std::thread first([&] { a = *shared.exchange(std::make_shared<int>(1)); });
  std::thread second([&] { b = *shared.exchange(std::make_shared<int>(2)); });
  first.join();
  second.join();
  OUTCOME("%d %d %d", a, b, *shared.load());
}
