// explore/work_pool.h: no work is lost or done twice, nobody sleeps while there is some, and all come to an end.
//
// Scene 0: a worker puts what the other one takes (or itself); the item makes another one.
// Scene 1: work that was put aside is handed out when all wait.
// Scene 2: `end` while one waits and another one works.
// Scene 3: one worker puts work, has the tables for itself (store/growth_gate.h) and looks at all that waits, while the other one comes to fetch it.
// Scene 4: one puts an item and never asks for any: only the wake-up can bring it to the other one.
#include <tarry/test.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "explore/work_pool.h"

using tarry::Gate;
using tarry::Inside;
using tarry::WorkPool;

int main(int, char** argv) {
  const int scene = std::atoi(argv[1]);
  Gate gate;
  WorkPool<int> pool(2, gate);
  std::atomic<int> done[4] = {};

  const auto works = [&] {
    const Inside inside(gate);
    while (const auto item = pool.get()) {
      done[*item].fetch_add(1, std::memory_order_relaxed);
      if (scene == 0 && *item == 0) pool.put(1);
      if (scene == 1 && *item == 0) {
        std::vector<int> later = {1};
        pool.put_aside(later);
      }
      if (scene == 2 && *item == 1) pool.end();
      if (scene == 3 && *item == 0) {
        pool.put(2);
        int waiting = 0;
        gate.alone([&] { pool.for_each([&](int) { ++waiting; }); });
        TARRY_EXPECT(waiting <= 2);
      }
    }
  };

  if (scene == 4) {
    std::thread asks([&] {
      const Inside inside(gate);
      TARRY_EXPECT(pool.get() == 0);
    });
    pool.put(0);
    asks.join();
    return 0;
  }

  pool.put(0);
  if (scene >= 2) pool.put(1);
  std::thread other(works);
  works();
  other.join();

  if (scene != 2) {
    const int items = scene == 3 ? 3 : 2;
    for (int i = 0; i < 4; ++i) TARRY_EXPECT(done[i] == (i < items ? 1 : 0));
    TARRY_EXPECT(pool.aside() == 0);
  } else {
    TARRY_EXPECT(done[0] <= 1 && done[1] == 1);
  }
}
