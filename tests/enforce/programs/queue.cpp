// A queue with a condition variable, two consumers, and elements on the heap.
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::queue<std::unique_ptr<int>> queue;
bool done = false;
int sum[2];

void consume(int i) {
  while (true) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return !queue.empty() || done; });
    if (queue.empty()) return;
    sum[i] += *queue.front();
    queue.pop();
  }
}

int main() {
  std::thread one(consume, 0), other(consume, 1);
  for (int i = 1; i <= 2; ++i) {
    const std::lock_guard lock(mutex);
    queue.push(std::make_unique<int>(i));
    changed.notify_one();
  }
  {
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_all();
  }
  one.join();
  other.join();
  std::printf("%d\n", sum[0] + sum[1]);
  return sum[0] + sum[1] == 3 ? 0 : 3;
}
