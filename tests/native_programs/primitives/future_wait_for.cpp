// wait_for: ready or not yet.
#include "outcome.h"

#include <chrono>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread sets([&] { promise.set_value(1); });
  const bool polled = future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  const bool waited = future.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready;
  sets.join();
  OUTCOME("polled %d, waited %d", polled, waited);
}
