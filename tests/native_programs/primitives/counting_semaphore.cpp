// Two units: both threads may be inside together.
#include "outcome.h"

#include <atomic>
#include <semaphore>
#include <thread>

int main() {
  std::counting_semaphore<2> semaphore(2);
  std::atomic<int> inside{0}, both{0};
  auto visit = [&] {
    semaphore.acquire();
    if (inside.fetch_add(1) == 1) both = 1;
    inside.fetch_sub(1);
    semaphore.release();
  };
  std::thread a(visit), b(visit);
  a.join();
  b.join();
  OUTCOME("%s, %d inside", both ? "two together" : "one by one", inside.load());
}
