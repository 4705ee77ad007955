// std::thread::detach.
#include "outcome.h"

#include <atomic>
#include <thread>

std::atomic<int> runs{0};

int main() {
  std::thread([] { ++runs; }).detach();
  OUTCOME("%d", runs.load());
}
