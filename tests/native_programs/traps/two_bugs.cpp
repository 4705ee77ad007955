// A data race and, behind it, an assertion that fails: the race does not end the search.
#include <cassert>
#include <thread>

int balance = 0;

int main() {
  std::thread a([] { balance += 10; });
  std::thread b([] { balance += 20; });
  a.join();
  b.join();
  assert(balance == 30);
}
