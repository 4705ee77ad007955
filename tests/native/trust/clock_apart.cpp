// Time is one: who has seen what time it was for another thread does not see an earlier one. How much later it is, nobody knows.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using Clock = std::chrono::steady_clock;
std::atomic<long> sent;
long now() { return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count(); }

int main() {
  std::thread sender([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    sent = now();
  });
  if (const long then = sent) {
#ifdef FIXED
    assert(now() >= then);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    assert(now() - then >= 20'000'000);
#else
    assert(now() - then < 1'000'000'000);
#endif
  }
  sender.join();
}
