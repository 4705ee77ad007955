// A group with one worker is given a task and stopped. Verified: it ends, and the task has run at most once.
#include "group.h"

#include <atomic>
#include <cassert>

int main() {
  std::atomic<int> ran{0};
  {
    WorkerGroup group(1);
    group.submit([&] { ++ran; });
  }
  assert(ran <= 1);
}
