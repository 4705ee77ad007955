// Bug: two philosophers take the forks in different orders. Each takes its first one, and waits for the other's: deadlock.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex fork1, fork2;
int meals = 0;  // guarded by both forks

void dine(std::mutex& left, std::mutex& right) {
  std::lock_guard first(left);
  std::lock_guard second(right);
  ++meals;
}

int main() {
  std::thread phil1([] { dine(fork1, fork2); });
  std::thread phil2([] { dine(fork2, fork1); });
  phil1.join();
  phil2.join();
  assert(meals == 2);
}
