// Random numbers of the system are the same in every execution, and differ between threads.
#include "outcome.h"

#include <sys/random.h>

#include <random>
#include <thread>

int main() {
  unsigned first = std::random_device{}(), second = 0, third = 0;
  std::thread([&] { second = std::random_device{}(); }).join();
  if (getrandom(&third, sizeof(third), 0) != sizeof(third)) return 1;
  static unsigned char seen[3];
  OUTCOME("%d %d", first != second, first != third);
  (void)seen;
}
