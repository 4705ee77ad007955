// A static local whose constructor throws is made by the next one who comes.
#include "outcome.h"

#include <atomic>
#include <thread>

std::atomic<int> tries{0};

struct Made {
  Made() {
    note('m');
    if (tries.fetch_add(1) == 0) throw 1;
  }
};

void use(char letter) try {
  static Made made;
  note(letter);
} catch (int) {
  note('x');
}

int main() {
  std::thread a(use, 'a'), b(use, 'b');
  a.join();
  b.join();
  OUTCOME("%s", order);
}
