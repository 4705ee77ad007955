// Three stages that hand work on through queues under locks, with some work of their own between: programs as they are, with few events.
#include <x86intrin.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <queue>
#include <thread>

class Channel {
 public:
  void put(unsigned value) {
    const std::lock_guard lock(mutex_);
    queue_.push(value);
    changed_.notify_one();
  }
  unsigned take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !queue_.empty(); });
    const unsigned value = queue_.front();
    queue_.pop();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<unsigned> queue_;
};

Channel first, second;
unsigned result;

unsigned work(unsigned value) {
  unsigned local = value;
  for (int i = 0; i < 100'000; ++i) local = local * 1664525u + 1013904223u;
  return local;
}

int main() {
  constexpr int kItems = 3;
  const auto began = __rdtsc();
  std::thread one([] { for (unsigned i = 1; i <= kItems; ++i) first.put(work(i)); });
  std::thread two([] { for (int i = 0; i < kItems; ++i) second.put(work(first.take())); });
  std::thread three([] { for (int i = 0; i < kItems; ++i) result ^= work(second.take()); });
  one.join();
  two.join();
  three.join();
  std::printf("%llu\n", static_cast<unsigned long long>(__rdtsc() - began));
  return result == 0 ? 1 : 0;
}
