// Bug: the waiting thread spins without yielding. On one processor it uses up its time slice for nothing, and with real-time
// priorities it never ends. It breaks the good-samaritan rule: a thread that is scheduled again and again must yield again and
// again.
#include "flag_bug.h"

#include <cassert>
#include <thread>

int main() {
  SpinFlag flag;
  int data = 0;
  std::thread setter([&] {
    data = 42;
    flag.raise();
  });
  std::thread waiter([&] {
    flag.wait();
    assert(data == 42);
  });
  setter.join();
  waiter.join();
}
