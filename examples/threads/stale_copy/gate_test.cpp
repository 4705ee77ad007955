// One thread opens the gate, another one passes it. Verified: the sleep counts as a yield, so a fair execution ends.
#include "gate.h"

#include <cassert>
#include <thread>

int main() {
  Gate gate;
  int data = 0;
  std::thread opener([&] {
    data = 42;
    gate.open();
  });
  std::thread guest([&] {
    gate.pass();
    assert(data == 42);
  });
  opener.join();
  guest.join();
}
