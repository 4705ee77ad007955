// Two threads wait for one shared_future.
#include "outcome.h"

#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  auto reader = [future](char letter) {
    if (future.get() == 1) note(letter);
  };
  std::thread a(reader, 'a'), b(reader, 'b');
  note('s');
  promise.set_value(1);
  a.join();
  b.join();
  OUTCOME("%s", order);
}
