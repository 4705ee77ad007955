// Tries for a std::shared_mutex.
#include "outcome.h"

#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex m;
  bool shared = false, exclusive = false;
  std::thread holder([&] { std::shared_lock hold(m); });
  std::thread tries([&] {
    if ((shared = m.try_lock_shared())) m.unlock_shared();
    if ((exclusive = m.try_lock())) m.unlock();
  });
  holder.join();
  tries.join();
  OUTCOME("shared %d, exclusive %d", shared, exclusive);
}
