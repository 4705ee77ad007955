// std::timed_mutex.
#include "outcome.h"

#include <chrono>
#include <mutex>
#include <thread>

int main() {
  std::timed_mutex m;
  bool got = false;
  std::thread holder([&] { std::lock_guard hold(m); });
  std::thread timed([&] {
    got = m.try_lock_for(std::chrono::milliseconds(1));
    if (got) m.unlock();
  });
  holder.join();
  timed.join();
  OUTCOME("%s", got ? "got it" : "timed out");
}
