// Bug: the balance is a plain variable that two threads change. That is a data race on every schedule, and on some of them a
// deposit is lost.
#include <cassert>
#include <thread>

int balance = 0;

void deposit(int amount) { balance += amount; }

int main() {
  std::thread a([] { deposit(10); });
  std::thread b([] { deposit(20); });
  a.join();
  b.join();
  assert(balance == 30);
}
