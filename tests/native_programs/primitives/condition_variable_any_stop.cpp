// condition_variable_any with a stop_token: a request ends the wait.
#include "outcome.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
  std::mutex m;
  std::condition_variable_any c;
  bool flag = false, result = false;
  std::jthread waiter([&](std::stop_token stop) {
    std::unique_lock hold(m);
    result = c.wait(hold, stop, [&] { return flag; });
  });
  std::thread setter([&] {
    {
      std::lock_guard hold(m);
      flag = true;
    }
    c.notify_one();
  });
  waiter.request_stop();
  waiter.join();
  setter.join();
  OUTCOME("%d", result);
}
