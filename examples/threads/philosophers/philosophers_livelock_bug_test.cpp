// Figure 1 of CHESS. Bug: who does not get the second fork puts back the first one, yields and tries again. No deadlock; but if
// both take, try, and put back in step, nobody ever eats, however fair the scheduler is: livelock.
//
// Musuvathi, Qadeer. Fair Stateless Model Checking. PLDI 2008. The paper's loop has no yield: philosophers_no_yield_bug_test.cpp.
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
    std::this_thread::yield();
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
