// Bug: the value is set without the lock. main looks, sees none; the other thread sets it and notifies, while nobody waits; main
// waits for ever.
#include "promise_signal_bug.h"

#include <cassert>
#include <thread>

int main() {
  Promise<int> promise;
  Future<int> answer = promise.future();
  std::thread thinker([promise = std::move(promise)]() mutable { promise.set(42); });
  assert(answer.get() == 42);
  thinker.join();
}
