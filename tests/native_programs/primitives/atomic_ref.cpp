// atomic_ref makes accesses to a plain variable atomic: one adds in one step, one in two.
#include "outcome.h"

#include <atomic>
#include <thread>

int main() {
  int plain = 0;
  std::thread a([&] { std::atomic_ref<int>(plain).fetch_add(10); });
  std::thread b([&] {
    std::atomic_ref<int> x(plain);
    x.store(x.load() + 1);
  });
  a.join();
  b.join();
  OUTCOME("%d", plain);
}
