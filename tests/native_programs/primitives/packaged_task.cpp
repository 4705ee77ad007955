// A packaged_task run in another thread, with an exception or a value.
#include "outcome.h"

#include <atomic>
#include <future>
#include <thread>

int main() {
  std::atomic<int> fail{0};
  std::packaged_task<int(int)> task([&](int x) {
    if (fail) throw x;
    return x + 1;
  });
  std::future<int> future = task.get_future();
  std::thread runs(std::move(task), 7);
  fail = 1;
  int got = 0;
  try {
    got = future.get();
  } catch (int thrown) {
    got = thrown;
  }
  runs.join();
  OUTCOME("%d", got);
}
