// A thread that is made before main, and joined after it.
#include <atomic>
#include <cassert>
#include <thread>

struct Background {
  std::atomic<int> ticks{0};
  std::thread thread{[this] { ++ticks; }};
  ~Background() {
    thread.join();
    assert(ticks == 2);
  }
} background;

int main() { ++background.ticks; }
