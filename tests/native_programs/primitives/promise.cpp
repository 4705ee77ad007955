// std::promise and std::future: get waits for the value.
#include "outcome.h"

#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread sets([&] {
    note('s');
    promise.set_value(42);
    note('S');
  });
  const int value = future.get();
  note('g');
  sets.join();
  OUTCOME("%s %d", order, value);
}
