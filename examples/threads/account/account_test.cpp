// An account that two threads pay into. Verified: fetch_add reads and writes in one step.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> balance{0};

void deposit(int amount) { balance.fetch_add(amount); }

int main() {
  std::thread a([] { deposit(10); });
  std::thread b([] { deposit(20); });
  a.join();
  b.join();
  assert(balance == 30);
}
