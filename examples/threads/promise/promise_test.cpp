// One thread keeps its promise, main waits for it. Verified.
#include "promise.h"

#include <cassert>
#include <thread>

int main() {
  Promise<int> promise;
  Future<int> answer = promise.future();
  std::thread thinker([promise = std::move(promise)]() mutable { promise.set(42); });
  assert(answer.get() == 42);
  thinker.join();
}
