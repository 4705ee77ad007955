// std::recursive_timed_mutex: the owner again, and another thread with a time limit.
#include "outcome.h"

#include <chrono>
#include <mutex>
#include <thread>

int main() {
  std::recursive_timed_mutex m;
  bool again = false, other = false;
  std::thread owner([&] {
    std::lock_guard hold(m);
    again = m.try_lock_for(std::chrono::milliseconds(1));
    if (again) m.unlock();
  });
  std::thread stranger([&] {
    other = m.try_lock_for(std::chrono::milliseconds(1));
    if (other) m.unlock();
  });
  owner.join();
  stranger.join();
  OUTCOME("again %d, other %d", again, other);
}
