// A static local is made once; who comes meanwhile waits.
#include "outcome.h"

#include <thread>

struct Made {
  Made() {
    note('m');
    note('M');
  }
};

void use(char letter) {
  static Made made;
  note(letter);
}

int main() {
  std::thread a(use, 'a'), b(use, 'b');
  a.join();
  b.join();
  OUTCOME("%s", order);
}
