// How long two reads of a clock are apart, though nothing is done in between but a write.
// FIXED: nothing is concluded from it.
#include <cassert>
#include <chrono>
#include <thread>

using Clock = std::chrono::steady_clock;
int x = 0;

void measure() {
  const auto start = Clock::now();
  x = 2;
  const auto end = Clock::now();
#ifdef FIXED
  assert(end >= start);
#else
  assert(end - start < std::chrono::seconds(1));
#endif
}

int main() {
  std::thread thread(measure);
  thread.join();
}
