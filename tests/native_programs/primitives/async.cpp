// std::async in a thread of its own: the destructor of its future waits.
#include "outcome.h"

#include <future>

int main() {
  int result = 0, value = 0;
  {
    std::future<int> future = std::async(std::launch::async, [] {
      note('a');
      return 1;
    });
    note('m');
    auto dropped = std::async(std::launch::async, [&] { result = 10; });
    value = future.get();
  }
  OUTCOME("%s %d", order, result + value);
}
