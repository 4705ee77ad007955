// std::thread with arguments and results by reference.
#include "outcome.h"

#include <thread>

int main() {
  int a = 0, b = 0;
  std::thread first([](int& x, char letter) { note(letter), x = 1; }, std::ref(a), 'a');
  std::thread second([&b] { note('b'), b = 2; });
  first.join();
  second.join();
  OUTCOME("%s %d", order, a + b);
}
