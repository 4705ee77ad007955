// Tries for a std::binary_semaphore, at once and with a time limit.
#include "outcome.h"

#include <chrono>
#include <semaphore>
#include <thread>

int main() {
  std::binary_semaphore semaphore(0);
  bool at_once = false, in_time = false;
  std::thread tries([&] {
    at_once = semaphore.try_acquire();
    if (!at_once) in_time = semaphore.try_acquire_for(std::chrono::milliseconds(1));
  });
  std::thread releases([&] { semaphore.release(); });
  tries.join();
  releases.join();
  OUTCOME("%s", at_once ? "at once" : in_time ? "in time" : "too late");
}
