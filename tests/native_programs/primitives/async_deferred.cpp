// A deferred async runs in the thread that first asks, once.
#include "outcome.h"

#include <future>
#include <thread>

int main() {
  const std::thread::id main_id = std::this_thread::get_id();
  std::shared_future<char> future =
      std::async(std::launch::deferred, [&] { return std::this_thread::get_id() == main_id ? 'm' : 't'; }).share();
  char a = '-';
  std::thread other([&a, future] { a = future.get(); });
  const char b = future.get();
  other.join();
  OUTCOME("%c %c", a, b);
}
