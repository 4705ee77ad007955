// std::shared_timed_mutex: shared beside exclusive, with a time limit.
#include "outcome.h"

#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_timed_mutex m;
  bool shared = false, exclusive = false;
  std::thread reader([&] {
    if ((shared = m.try_lock_shared_for(std::chrono::milliseconds(1)))) m.unlock_shared();
  });
  std::thread writer([&] {
    if ((exclusive = m.try_lock_for(std::chrono::milliseconds(1)))) m.unlock();
  });
  reader.join();
  writer.join();
  OUTCOME("shared %d, exclusive %d", shared, exclusive);
}
