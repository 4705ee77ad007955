// What stands on futexes: futures, latches, semaphores and atomic waits of C++20.
#include <atomic>
#include <cstdio>
#include <future>
#include <latch>
#include <semaphore>
#include <thread>

std::latch latch(2);
std::atomic<int> value{0};
std::counting_semaphore<4> semaphore(0);

int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread one([&] {
    latch.count_down();
    value.store(1);
    value.notify_one();
    semaphore.release();
  });
  std::thread two([&] {
    latch.count_down();
    semaphore.acquire();
    promise.set_value(5);
  });
  latch.wait();
  value.wait(0);
  const int got = future.get();
  one.join();
  two.join();
  std::printf("%d %d\n", value.load(), got);
  return got == 5 ? 0 : 3;
}
