// Figure 1 of CHESS, to the letter. Bug: as in philosophers_livelock_bug_test.cpp; and since nobody yields between two tries,
// each philosopher also breaks the good-samaritan rule. One of them spins while the other one holds its fork.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex fork1, fork2;
int meals = 0;  // guarded by both forks

void dine(std::mutex& left, std::mutex& right) {
  for (;;) {
    left.lock();
    if (right.try_lock()) break;
    left.unlock();
  }
  ++meals;
  left.unlock();
  right.unlock();
}

int main() {
  std::thread phil1([] { dine(fork1, fork2); });
  std::thread phil2([] { dine(fork2, fork1); });
  phil1.join();
  phil2.join();
  assert(meals == 2);
}
