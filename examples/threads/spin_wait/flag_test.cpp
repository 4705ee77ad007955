// Figure 3 of CHESS: one thread waits, spinning, for what another one sets. Without fairness this test has executions without
// end, in which the thread that would raise the flag never runs; with it, it is verified.
//
// Musuvathi, Qadeer. Fair Stateless Model Checking. PLDI 2008.
#include "flag.h"

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
