// Bug: a deposit reads the balance and then writes it, and another deposit may come between. `a` reads 0, `b` pays in its 20, `a`
// writes 10: the 20 are gone. No data race: each access is atomic, the pair is not.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> balance{0};

void deposit(int amount) { balance = balance + amount; }

int main() {
  std::thread a([] { deposit(10); });
  std::thread b([] { deposit(20); });
  a.join();
  b.join();
  assert(balance == 30);
}
