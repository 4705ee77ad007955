// Bug: the promise does not own the shared state, and touches it after the value is there to see. The thread sets the value
// and gives the lock back; main, which has not waited yet, finds the value and destroys the future; the thread looks whether
// anybody waits, in freed memory.
#include "promise_lifetime_bug.h"

#include <cassert>
#include <thread>

int main() {
  std::thread thinker;
  {
    Future<int> answer;
    thinker = std::thread([promise = answer.promise()]() mutable { promise.set(42); });
    assert(answer.get() == 42);
  }
  thinker.join();
}
