// Two philosophers, two forks. Verified: both take the forks in the same order.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex fork1, fork2;
int meals = 0;  // guarded by both forks

void dine() {
  std::lock_guard first(fork1);
  std::lock_guard second(fork2);
  ++meals;
}

int main() {
  std::thread phil1(dine);
  std::thread phil2(dine);
  phil1.join();
  phil2.join();
  assert(meals == 2);
}
