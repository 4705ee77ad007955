// Bug: while the group is stopped and the worker is not yet told, the worker runs round its loop: no task, and idle() returns at
// once. It spins without yielding, and keeps the processor from the thread that would stop it: good-samaritan violation.
#include "group_bug.h"

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
