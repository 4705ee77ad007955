// std::shared_mutex: readers together, the writer alone.
#include "outcome.h"

#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex m;
  std::thread a([&] {
    std::shared_lock hold(m);
    note('a');
    note('A');
  });
  std::thread b([&] {
    std::shared_lock hold(m);
    note('b');
  });
  std::thread w([&] {
    std::unique_lock hold(m);
    note('w');
    note('W');
  });
  a.join();
  b.join();
  w.join();
  OUTCOME("%s", order);
}
