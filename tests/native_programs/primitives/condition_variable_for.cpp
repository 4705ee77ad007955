// wait_for with a predicate: true if it came true, even at the last moment.
#include "outcome.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex m;
  std::condition_variable c;
  bool flag = false, result = false;
  std::thread waiter([&] {
    std::unique_lock hold(m);
    result = c.wait_for(hold, std::chrono::milliseconds(1), [&] { return flag; });
  });
  std::thread setter([&] {
    std::lock_guard hold(m);
    flag = true;
    c.notify_all();
  });
  waiter.join();
  setter.join();
  OUTCOME("%d", result);
}
