// Figure 8 of CHESS. Bug: the loop waits for a local copy to change. If the guest looks before the gate is open, it sleeps and
// looks at the same copy for ever: livelock. If it comes later, nothing shows, and that is the common case.
//
// Musuvathi, Qadeer. Fair Stateless Model Checking. PLDI 2008, section 4.3.2.
#include "gate_bug.h"

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
